#!/bin/sh
# Generates the secrets for the compose files in ./secrets beside this script. Existing files are kept.
# The folder is private; the files are readable, because containers run as users with different ids.
set -eu
umask 022
folder=$(dirname -- "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# keep NAME TEXT
keep() {
  if [ -e "$1" ]; then return; fi
  # A full disk leaves an empty file, which the next run must not keep.
  printf '%s\n' "$2" > "$1.part"
  mv "$1.part" "$1"
}

random() {
  od -An -tx1 -N32 /dev/urandom | tr -d ' \n'
}

keep admin-key "$(random)"
keep master-keys "k1:$(head -c 32 /dev/urandom | base64)"
keep postgres-password "$(random)"
keep database-url "postgres://tenantry@postgres:5432/tenantry?sslmode=disable"
keep valkey-password "$(random)"
keep valkey-url "valkey://:$(cat valkey-password)@valkey:6379"
keep valkey-configuration "requirepass $(cat valkey-password)
maxmemory 128mb
maxmemory-policy volatile-ttl
save \"\"
appendonly no"
# If empty, no e-mail is sent. Write smtp://user:password@host:587 into it, and set MAIL_FROM.
keep smtp-url ''
