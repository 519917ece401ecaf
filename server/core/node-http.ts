/**
 * Node's HTTP modules. `import … from 'node:http'` would read all of its exports, and so load the WebSocket client of
 * undici: 30 ms and 12 MB at startup. `node:https` also loads TLS.
 */
export const nodeHttp = () => process.getBuiltinModule('node:http')
export const nodeHttps = () => process.getBuiltinModule('node:https')
