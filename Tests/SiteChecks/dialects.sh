#!/bin/sh
# usage: dialects.sh PLIMSOLL FOLDER
# Builds the project in FOLDER with its Markdown in each dialect. The build compares the numbers of every page with
# its Markdown version; a finding, or one of the checks of the built site, fails.
set -eu
for dialect in github commonmark plain slack; do
    site="$2/site-$dialect"
    # 1 is right: one of the demo's sources failed on its last night, and the site shows it.
    "$1" build --config "$2/plimsoll.yml" --markdown "$dialect" --output "$site" >"$2/$dialect.log" 2>&1 ||
        test $? -eq 1 || { cat "$2/$dialect.log"; exit 1; }
    if grep -F '[check.' "$2/$dialect.log"; then
        echo "error: Markdown in $dialect does not match its pages" >&2
        exit 1
    fi
    "$1" check --site "$site" >"$2/$dialect.log" 2>&1 || { cat "$2/$dialect.log"; exit 1; }
    longest=$(find "$site" -name '*.md' -exec wc -m {} + | grep -v ' total$' | sort -n | tail -1 | awk '{print $1}')
    echo "ok  Markdown in $dialect: $(find "$site" -name 'index.md' | wc -l) pages, the longest of $longest characters"
    rm -rf "$site"
done
