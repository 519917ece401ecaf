/** The names of statements that background work runs at any time, beside those of a request. */
export const ofBackground =
  /^(postgres\.)?(outbox|inbox|sqlite|directory|eventHead|eventLog|eventQueue|events|event\.seal|enterTenant|ping)\b/
