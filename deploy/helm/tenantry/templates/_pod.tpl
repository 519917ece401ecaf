{{- define "tenantry.labels" -}}
app.kubernetes.io/name: tenantry
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "tenantry.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "tenantry.secretName" -}}
{{- if .Values.secret }}{{ .Release.Name }}-secrets{{ else }}{{ required "set existingSecret or secret" .Values.existingSecret }}{{ end }}
{{- end }}

{{- define "tenantry.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "tenantry.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- /* The settings that are not secret. */}}
{{- define "tenantry.settings" -}}
TENANTRY_ENVIRONMENT: production
TENANTRY_PUBLIC_URL: {{ .Values.publicUrl | quote }}
TENANTRY_TRUSTED_PROXIES: {{ .Values.trustedProxies | quote }}
ADMIN_PORT: "4001"
METRICS_PORT: "9464"
MAIL_FROM: {{ .Values.mailFrom | quote }}
TENANTRY_ADMIN_KEY_FILE: /run/secrets/tenantry/admin-key
TENANTRY_MASTER_KEYS_FILE: /run/secrets/tenantry/master-keys
SMTP_URL_FILE: /run/secrets/tenantry/smtp-url
{{- if eq .Values.database.engine "postgres" }}
TENANTRY_MIGRATE: "off"
DATABASE_URL_FILE: /run/secrets/tenantry/database-url
TENANTRY_DATABASE_PASSWORD_FILE: /run/secrets/tenantry/postgres-password
{{- if .Values.valkey }}
VALKEY_URL_FILE: /run/secrets/tenantry/valkey-url
{{- end }}
{{- else }}
DATABASE_URL: sqlite:/data/tenantry.db
{{- end }}
{{- range $name, $value := .Values.settings }}
{{ $name }}: {{ $value | quote }}
{{- end }}
{{- end }}

{{- /* The pod of a server. */}}
{{- define "tenantry.pod" -}}
# Otherwise the Service below adds variables such as TENANTRY_PORT, which are unknown settings.
enableServiceLinks: false
automountServiceAccountToken: false
terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
securityContext:
  {{- include "tenantry.podSecurity" . | nindent 2 }}
{{- if eq .Values.database.engine "postgres" }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "tenantry.labels" . | nindent 8 }}
{{- end }}
containers:
  - name: tenantry
    image: {{ include "tenantry.image" . }}
    envFrom:
      - configMapRef: { name: {{ .Release.Name }}-settings }
    ports:
      - { name: http, containerPort: 4000 }
      - { name: admin, containerPort: 4001 }
      - { name: metrics, containerPort: 9464 }
    startupProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 1
      {{- /* On SQLite the server migrates the schema before it listens. A server that cannot start ends by itself. */}}
      failureThreshold: {{ if eq .Values.database.engine "sqlite" }}1800{{ else }}60{{ end }}
    livenessProbe:
      httpGet: { path: /healthz, port: http }
      periodSeconds: 10
      timeoutSeconds: 3
    readinessProbe:
      httpGet: { path: /readyz, port: http }
      periodSeconds: 2
      timeoutSeconds: 2
      failureThreshold: 2
    securityContext:
      {{- include "tenantry.containerSecurity" . | nindent 6 }}
    resources:
      {{- if .Values.resources }}
      {{- toYaml .Values.resources | nindent 6 }}
      {{- else }}
      requests: { cpu: 250m, memory: 256Mi }
      limits: { memory: {{ if eq .Values.database.engine "sqlite" }}1Gi{{ else }}512Mi{{ end }} }
      {{- end }}
    volumeMounts:
      - { name: secrets, mountPath: /run/secrets/tenantry, readOnly: true }
      - { name: scratch, mountPath: /tmp }
      {{- if eq .Values.database.engine "sqlite" }}
      - { name: data, mountPath: /data }
      {{- end }}
volumes:
  # The mode is 0440.
  - name: secrets
    secret: { secretName: {{ include "tenantry.secretName" . }}, defaultMode: 288 }
  - name: scratch
    emptyDir: { sizeLimit: 64Mi }
{{- end }}
