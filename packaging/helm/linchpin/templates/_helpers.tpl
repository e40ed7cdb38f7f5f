{{- define "linchpin.name" -}}
{{- $name := .Release.Name -}}
{{- if not (contains .Chart.Name $name) }}{{ $name = printf "%s-%s" $name .Chart.Name }}{{ end -}}
{{- $name | trunc 52 | trimSuffix "-" -}}
{{- end }}

{{- define "linchpin.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end }}

{{- define "linchpin.labels" -}}
{{ include "linchpin.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{- define "linchpin.isPostgres" -}}
{{- if eq .Values.database.kind "postgresql" }}true{{ end -}}
{{- end }}

{{- define "linchpin.replicas" -}}
{{- if include "linchpin.isPostgres" . }}{{ .Values.replicas }}{{ else }}1{{ end -}}
{{- end }}

{{- /* One volume: a claim that exists, or that of this chart. */ -}}
{{- define "linchpin.claim" -}}
- name: {{ .name }}
  persistentVolumeClaim:
    claimName: {{ .storage.existingClaim | default (printf "%s-%s" (include "linchpin.name" .root) .name) | quote }}
{{- end }}

{{- /* Not from the number of pods: the mode of a claim cannot be changed. */ -}}
{{- define "linchpin.accessMode" -}}
{{- $default := ternary "ReadWriteMany" "ReadWriteOnce" (eq .root.Values.database.kind "postgresql") -}}
{{- $mode := .storage.accessMode | default $default -}}
{{- if and (gt (int (include "linchpin.replicas" .root)) 1) (ne $mode "ReadWriteMany") }}
{{- fail (printf "storage.%s.accessMode is %s, but several pods need ReadWriteMany. Set that, or replicas: 1" .name $mode) }}
{{- end -}}
{{- $mode -}}
{{- end }}

{{- define "linchpin.claimSpec" -}}
accessModes: [{{ .mode }}]
{{- with .storage.storageClass }}
storageClassName: {{ . | quote }}
{{- end }}
resources:
  requests:
    storage: {{ .storage.size | quote }}
{{- end }}

{{- define "linchpin.secretVariable" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      name: {{ .secret | quote }}
      key: {{ .key | quote }}
{{- end }}

{{- define "linchpin.variables" -}}
- name: LINCHPIN_DATA_DIR
  value: /data/service
- name: LINCHPIN_KEYS_DIR
  value: /keys/folder
- name: LINCHPIN_LISTEN
  value: 0.0.0.0:8787
- name: LINCHPIN_DOCUMENT_SANDBOX
  value: {{ .Values.settings.DOCUMENT_SANDBOX | default "best-effort" | quote }}
- name: LINCHPIN_PUBLIC_URL
  value: {{ required "urls.public is required: the service's URL as browsers see it" .Values.urls.public | quote }}
{{- range $name := list "sdk" "hosted" "files" "console" }}
{{- with index $.Values.urls $name }}
- name: LINCHPIN_{{ upper $name }}_URL
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- if include "linchpin.isPostgres" . }}
{{ include "linchpin.secretVariable" (dict "name" "LINCHPIN_DATABASE_URL" "secret" (required "database.secret.name is required for PostgreSQL" .Values.database.secret.name) "key" .Values.database.secret.key) }}
{{- end }}
{{- with .Values.bucket }}
{{- if .name }}
- name: LINCHPIN_S3_BUCKET
  value: {{ .name | quote }}
{{- with .endpoint }}
- name: LINCHPIN_S3_ENDPOINT
  value: {{ . | quote }}
{{- end }}
{{- with .region }}
- name: LINCHPIN_S3_REGION
  value: {{ . | quote }}
{{- end }}
{{- $secret := required "bucket.secret.name is required for a bucket" .secret.name }}
{{ include "linchpin.secretVariable" (dict "name" "LINCHPIN_S3_ACCESS_KEY_ID" "secret" $secret "key" .secret.accessKeyId) }}
{{ include "linchpin.secretVariable" (dict "name" "LINCHPIN_S3_SECRET_ACCESS_KEY" "secret" $secret "key" .secret.secretAccessKey) }}
{{- else }}
- name: LINCHPIN_FILES_DIR
  value: /files/folder
{{- end }}
{{- end }}
{{- if .Values.metrics.enabled }}
- name: LINCHPIN_METRICS_LISTEN
  value: 0.0.0.0:9187
{{- end }}
{{- if .Values.masterKey.programConfigMap }}
- name: LINCHPIN_MASTER_KEY_COMMAND
  value: /etc/linchpin-program/program
{{- with .Values.masterKey.env }}
{{ toYaml . }}
{{- end }}
{{- end }}
{{- range $name, $value := omit .Values.settings "DOCUMENT_SANDBOX" }}
- name: LINCHPIN_{{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range .Values.secretSettings }}
{{ include "linchpin.secretVariable" (dict "name" (printf "LINCHPIN_%s" .name) "secret" .secret "key" .key) }}
{{- end }}
{{- end }}

{{- define "linchpin.pod" -}}
metadata:
  labels:
    {{- include "linchpin.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  {{- with .Values.podAnnotations }}
  annotations: {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "linchpin.name" . | quote }}
  automountServiceAccountToken: false
  # The variables of a Service called `linchpin` would look like settings.
  enableServiceLinks: false
  # Longer than --drain-seconds and the end after it, so that deliveries in progress can finish.
  terminationGracePeriodSeconds: {{ add (int (.Values.settings.DRAIN_SECONDS | default "20")) 10 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    # Otherwise each start makes the key files readable for the group, and the service refuses them.
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  {{- with .Values.image.pullSecrets }}
  imagePullSecrets: {{- toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: linchpin
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy | quote }}
      {{- if .Values.configSecret }}
      args: [serve, --config, /etc/linchpin/linchpin.toml]
      {{- else }}
      args: [serve]
      {{- end }}
      env:
        {{- include "linchpin.variables" . | nindent 8 }}
      ports:
        - name: http
          containerPort: 8787
        {{- if .Values.metrics.enabled }}
        - name: metrics
          containerPort: 9187
        {{- end }}
      # The start waits 60 s for PostgreSQL and brings the schema up to date, under a lock that the pods share.
      startupProbe:
        httpGet: {path: /health/live, port: http}
        periodSeconds: 2
        failureThreshold: 60
      readinessProbe:
        exec:
          command: [linchpin, healthcheck]
        periodSeconds: 5
        timeoutSeconds: 6
      # Not the readiness: a database that is away must not restart the pods.
      livenessProbe:
        httpGet: {path: /health/live, port: http}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      resources: {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
      volumeMounts:
        - {name: data, mountPath: /data}
        - {name: keys, mountPath: /keys}
        - {name: temporary, mountPath: /tmp}
        {{- if not .Values.bucket.name }}
        - {name: files, mountPath: /files}
        {{- end }}
        {{- if .Values.configSecret }}
        - {name: config, mountPath: /etc/linchpin, readOnly: true}
        {{- end }}
        {{- if .Values.masterKey.programConfigMap }}
        - {name: program, mountPath: /etc/linchpin-program, readOnly: true}
        {{- end }}
  volumes:
    - name: temporary
      emptyDir:
        sizeLimit: {{ .Values.storage.temporary | quote }}
    {{- if include "linchpin.isPostgres" . }}
    {{- if .Values.settings.BACKUP_TO }}
    # A backup is written and verified here before its upload.
    - name: data
      ephemeral:
        volumeClaimTemplate:
          spec: {{- include "linchpin.claimSpec" (dict "storage" .Values.storage.backupDraft "mode" "ReadWriteOnce") | nindent 12 }}
    {{- else }}
    # Only the administration socket.
    - name: data
      emptyDir:
        sizeLimit: 1Gi
    {{- end }}
    {{- else }}
    {{- include "linchpin.claim" (dict "root" . "name" "data" "storage" .Values.storage.data) | nindent 4 }}
    {{- end }}
    {{- include "linchpin.claim" (dict "root" . "name" "keys" "storage" .Values.storage.keys) | nindent 4 }}
    {{- if not .Values.bucket.name }}
    {{- include "linchpin.claim" (dict "root" . "name" "files" "storage" .Values.storage.files) | nindent 4 }}
    {{- end }}
    {{- with .Values.configSecret }}
    - name: config
      secret:
        secretName: {{ . | quote }}
        defaultMode: 0440
    {{- end }}
    {{- with .Values.masterKey.programConfigMap }}
    - name: program
      configMap:
        name: {{ . | quote }}
        defaultMode: 0550
    {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity: {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- if include "linchpin.isPostgres" . }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels: {{- include "linchpin.selector" . | nindent 10 }}
  {{- end }}
{{- end }}
