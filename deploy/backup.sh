#!/bin/sh
# Back up the database of PGHOST, PGUSER and PGDATABASE into BACKUP_FOLDER every BACKUP_EVERY seconds, counted from
# the last backup there, and keep the last BACKUPS_KEPT files that are so far apart, and those between them. Each
# is noted in the database, where administrators see it. `backup.sh check` fails unless the last backup is recent.
set -eu

for name in BACKUP_EVERY BACKUPS_KEPT; do
    eval "value=\${$name-}"
    case $value in
        '' | 0* | *[!0-9]* | ??????????*)
            echo "GORRION_$name must be a whole number from 1 to 999999999, not \"$value\"." >&2
            exit 1
            ;;
    esac
done

if [ "${1:-}" = check ]; then
    test -n "$(find "$BACKUP_FOLDER" -name 'gorrion-*.dump' -mmin "-$((BACKUP_EVERY / 60 + 60))")"
    exit
fi

note() {
    psql --no-psqlrc --quiet --command \
        "INSERT INTO backup_notes (kind, file, bytes) VALUES ('backup', '${1##*/}', $(($(wc -c <"$1"))))"
}

# Print the moment of each backup (in seconds since 1970, from its name) and its file, the newest first.
list() {
    find "$BACKUP_FOLDER" -name 'gorrion-*.dump' | grep -E '/gorrion-[0-9]{8}-[0-9]{6}\.dump$' | sort -r |
        while read -r file; do
            began=$(echo "${file##*/}" | sed -E 's/^.{8}(....)(..)(..)-(..)(..)(..).*/\1-\2-\3 \4:\5:\6/')
            moment=$(date -u -d "$began" +%s) && echo "$moment $file"
        done
}

delete_old() {
    list | while read -r moment file; do
        if [ "${kept:-0}" -eq "$BACKUPS_KEPT" ]; then
            rm -f -- "$file"
        elif [ "${kept:-0}" -eq 0 ] || [ $((last - moment)) -ge "$BACKUP_EVERY" ]; then
            kept=$((${kept:-0} + 1)) last=$moment
        fi
    done
}

# Print how long the next backup is not due.
seconds_left() {
    last=$(list | head -n 1 | cut -d ' ' -f 1)
    left=$((${last:-0} + BACKUP_EVERY - $(date +%s)))
    # A clock that was set back puts no backup off for longer.
    echo $((left < 0 ? 0 : left > BACKUP_EVERY ? BACKUP_EVERY : left))
}

pause() {
    sleep "$1" &
    sleeping=$!
    wait "$sleeping"
    sleeping=
}

sleeping=
trap '${sleeping:+kill "$sleeping"}; exit 0' INT TERM
umask 077
mkdir -p "$BACKUP_FOLDER"
rm -f "$BACKUP_FOLDER"/gorrion-*.dump.part  # of a service that was killed while it wrote
while true; do
    pause "$(seconds_left)"
    file="$BACKUP_FOLDER/gorrion-$(date -u +%Y%m%d-%H%M%S).dump"
    if pg_dump --format=custom --file="$file.part"; then
        mv "$file.part" "$file"
        note "$file" || echo "$file could not be noted in the database" >&2
        delete_old
        echo "Wrote $file"
    else
        rm -f "$file.part"
        pause 60
    fi
done
