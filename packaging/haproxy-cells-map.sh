#!/bin/sh
# /usr/local/sbin/haproxy-cells-map.sh, on the machine of the proxy: makes the map of haproxy-cells.cfg again, and reloads HAProxy
# if it changed. docs/how-to/cells.md lists what it needs. If it fails, the old map stays, and standard error says why.
set -eu
cells='c1 c2'
cd "${1:-/etc/haproxy}"
umask 022

fail() {
  echo "haproxy-cells-map: $1" >&2
  exit 1
}

# The run of the minute before is not over.
exec 9> tenants.lock
flock -n 9 || exit 0

: > tenants.new
for cell in $cells; do
  # A node that hangs must not keep the lock.
  lines=$(timeout 20 ssh -n -o BatchMode=yes -o ConnectTimeout=5 "cells@$cell.internal" \
    sudo -u linchpin linchpin cells map "$cell" --data-dir /var/lib/linchpin 9>&-) || fail "$cell does not give its map"
  # No line at all is refused too: a wrong data folder is more likely than a cell without tenants.
  if printf '%s\n' "$lines" | grep -qvxE "[0-9a-f]{10} $cell"; then
    fail "the map of $cell is empty or has other lines"
  fi
  printf '%s\n' "$lines" >> tenants.new
done
twice=$(sort -u tenants.new | cut -d ' ' -f 1 | uniq -d)
if [ -n "$twice" ]; then
  fail "two cells have the tenants with these route codes: $(echo $twice)"
fi

# HAProxy uses tenants.loaded: if a reload fails, the next run tries again.
if ! cmp -s tenants.new tenants.loaded; then
  cp tenants.new tenants.next
  mv tenants.next tenants.map
  haproxy -c -q -f haproxy.cfg || fail "haproxy.cfg is not valid, so HAProxy uses the map from before"
  systemctl reload haproxy || fail "HAProxy was not reloaded, so it uses the map from before"
  mv tenants.new tenants.loaded
fi
# Its age says when all cells responded last.
touch tenants.checked
