#!/bin/sh
# usage: make-site.sh PLIMSOLL FOLDER
# Makes in FOLDER/site a site of the demo, a page with everything Markdown has, and an app with hostile texts; and in
# FOLDER/single.html one app in one file, with a theme whose style sheets name others, a font and a picture.
set -eu
here=$(dirname "$0")
content="$here/../../Content"
rm -rf "$2"
mkdir -p "$2"
cp -R "$here/project/." "$content/demo/data" "$2/"
cp -R "$content"/*.md "$content/mutes.yml" "$content/notes" "$2/Content/"
# 1 is right: one of the demo's sources failed on its last night, and the site shows it.
"$1" run --config "$2/plimsoll.yml" >"$2/plimsoll.log" 2>&1 || test $? -eq 1 || { cat "$2/plimsoll.log"; exit 1; }

partials="$2/Themes/probe/templates/partials"
mkdir -p "$partials"
link='<link rel="stylesheet" href="{{frame.root}}{{asset.probe.css}}">'
sed "s|</head>|$link</head>|" "$here/../../Themes/default/templates/partials/layout.html" >"$partials/layout.html"
{ cat "$2/plimsoll.yml"; echo "theme: probe"; } >"$2/single.yml"
"$1" build --config "$2/single.yml" --single-file --app sketchbook --output "$2/single.html" >"$2/single.log" 2>&1 ||
    test $? -eq 1 || { cat "$2/single.log"; exit 1; }
