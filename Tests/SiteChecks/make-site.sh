#!/bin/sh
# usage: make-site.sh PLIMSOLL FOLDER
# Makes in FOLDER/site a site of the demo, a page with everything Markdown has, and an app with hostile texts.
set -eu
here=$(dirname "$0")
content="$here/../../Content"
rm -rf "$2"
mkdir -p "$2"
cp -R "$here/project/." "$content/demo/data" "$2/"
cp -R "$content"/*.md "$content/mutes.yml" "$content/notes" "$2/Content/"
# 1 is right: one of the demo's sources failed on its last night, and the site shows it.
"$1" run --config "$2/plimsoll.yml" >"$2/plimsoll.log" 2>&1 || test $? -eq 1 || { cat "$2/plimsoll.log"; exit 1; }
