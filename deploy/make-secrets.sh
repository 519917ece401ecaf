#!/bin/sh
# Makes the secrets that the compose files read, in ./secrets beside this script. What is there already stays.
# The folder is closed to others; the files in it are open, for the containers' users, who have other ids, to read.
set -eu
umask 022
folder=$(dirname -- "$0")/secrets
mkdir -p "$folder"
chmod 700 "$folder"
cd "$folder"

# keep NAME TEXT
keep() {
  [ -e "$1" ] || printf '%s\n' "$2" > "$1"
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
# Empty, nothing is mailed. Write smtp://user:password@host:587 into it, and set MAIL_FROM.
keep smtp-url ''
