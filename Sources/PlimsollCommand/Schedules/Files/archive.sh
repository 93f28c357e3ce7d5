#!/bin/sh
# Keeps the archive on the branch 'plimsoll-archive' between runs: archive.sh get [--first] | archive.sh keep
# The branch has one commit. A job replaces it only if it is the one that this very job read, and only by an archive
# that continues what was read: whatever fails, the history on the branch stays.
# In a public repository everybody can read the branch. With AGE_KEY or PLIMSOLL_AGE_KEY (a secret, made by
# age-keygen, or a file with it) the archive is encrypted; the program 'age' must be installed then.
set -eu
branch=plimsoll-archive
file=@archive@
# What it is called on the branch.
kept=archive.sqlite
state=.git/plimsoll-archive-read
job=${GITHUB_RUN_ID:-}.${GITHUB_RUN_ATTEMPT:-}.${GITHUB_JOB:-}.${CI_JOB_ID:-}
work=$(mktemp -d .git/plimsoll-archive.XXXXXX)
trap 'rm -rf "$work"' EXIT
# A variable of GitLab comes under its own name, and one of the type 'file' as a path.
AGE_KEY=${AGE_KEY:-${PLIMSOLL_AGE_KEY:-}}
if [ -n "$AGE_KEY" ] && [ -f "$AGE_KEY" ]; then AGE_KEY=$(cat "$AGE_KEY"); fi

stop() {
    echo "error: $1" >&2
    echo "hint: $2" >&2
    exit 1
}

# A file of the branch that was fetched, as one of the same name in the work folder.
unpack() {
    if git cat-file -e "FETCH_HEAD:$1.zst.age" 2>/dev/null; then
        [ -n "$AGE_KEY" ] ||
            stop "the archive on the branch '$branch' is encrypted, and there is no key" \
                "set the secret PLIMSOLL_AGE_KEY, and see that this job gets it"
        printf '%s\n' "$AGE_KEY" >"$work/key"
        git cat-file blob "FETCH_HEAD:$1.zst.age" >"$work/age"
        age -d -i "$work/key" -o "$work/zst" "$work/age" ||
            stop "the archive on the branch '$branch' cannot be decrypted" \
                "give PLIMSOLL_AGE_KEY the key that it was encrypted with; a new key goes on a line below the old one"
    else
        git cat-file blob "FETCH_HEAD:$1.zst" >"$work/zst"
    fi
    zstd -q -d -f -o "$work/$1" "$work/zst"
}

# A file of the work folder as a line of the tree of the commit.
pack() {
    name=$1.zst
    zstd -q -f -o "$work/$name" "$work/$1"
    if [ -n "$AGE_KEY" ]; then
        printf '%s\n' "$AGE_KEY" >"$work/key"
        age -e -i "$work/key" -o "$work/$name.age" "$work/$name"
        name=$name.age
    fi
    printf '100644 blob %s\t%s\n' "$(git hash-object -w "$work/$name")" "$name"
}

# Whether a file is a whole archive.
is_archive() {
    [ -f "$1" ] && [ "$(sqlite3 "$1" 'PRAGMA integrity_check' 2>/dev/null)" = ok ] &&
        newest "$1" >/dev/null 2>&1
}

# The time of the newest fetch that an archive knows.
newest() { sqlite3 "$1" 'SELECT coalesce(max(at), 0) FROM fetch_attempt'; }

# Which archive it is, whatever it holds; nothing for those of before version 0.2.
identity() {
    secret=$(sqlite3 "$1" 'SELECT hex(value) FROM secret' 2>/dev/null) || secret=
    [ -z "$secret" ] || printf '%s' "$secret" | sha256sum | cut -c 1-64
}

# Remembers what this job has: the commit, the archive, and whether it is encrypted.
remember() {
    printf '%s\n' "$job" "$1" "$2" "$3" "$4" >"$work/state"
    mv "$work/state" "$state"
}

case "${1:-}" in
get)
    rm -f "$state"
    code=0
    git ls-remote --exit-code --heads origin "$branch" >/dev/null || code=$?
    # 2: the remote answers that there is no such branch.
    if [ "$code" -eq 0 ]; then
        git fetch --quiet --depth=1 --no-tags origin "$branch"
        unpack "$kept"
        is_archive "$work/$kept" ||
            stop "the branch '$branch' holds no whole archive" "push the last good one to the branch"
        ! git ls-tree --name-only FETCH_HEAD | grep -q "^$kept.publications.json" ||
            unpack "$kept.publications.json"
        form=plain
        if git cat-file -e "FETCH_HEAD:$kept.zst.age" 2>/dev/null; then form=encrypted; fi
        identity=$(identity "$work/$kept")
        newest=$(newest "$work/$kept")
        chmod 600 "$work/$kept"
        mkdir -p "$(dirname "$file")"
        rm -f "$file" "$file-wal" "$file-shm" "$file-journal" "$file.publications.json"
        for end in "" .publications.json; do
            [ ! -f "$work/$kept$end" ] || mv "$work/$kept$end" "$file$end"
        done
        # Last: only who has the archive may replace it.
        remember "$(git rev-parse FETCH_HEAD)" "$identity" "$newest" "$form"
    elif [ "$code" -ne 2 ]; then
        stop "the branches of the repository cannot be read" "check that this job may read the repository"
    elif [ "${2:-}" != --first ]; then
        stop "there is no branch '$branch' with the archive; history would begin again" \
            "for the very first run, start this by hand with 'first'"
    else
        remember "" "" 0 plain
    fi
    ;;
keep)
    was=none
    if [ -f "$state" ]; then
        { read -r was; read -r commit; read -r identity; read -r newest; read -r form; } <"$state"
    fi
    [ "$was" = "$job" ] ||
        stop "the archive was not read in this job; the one on the branch stays" \
            "see why 'archive.sh get' failed, or did not run"
    [ -f "$file" ] ||
        stop "there is no $file to keep; the one on the branch stays" "see why the run made none"
    # All of it in one file, also what is still in the log.
    sqlite3 "$file" ".backup '$work/$kept'"
    is_archive "$work/$kept" ||
        stop "$file is no whole archive; the one on the branch stays" "see what the run reports"
    if [ -n "$identity" ] && [ "$(identity "$work/$kept")" != "$identity" ] ||
        [ "$(newest "$work/$kept")" -lt "$newest" ]; then
        stop "$file does not continue the archive that was read; the one on the branch stays" \
            "if this is meant, such as after a restore, remove the branch '$branch' and start with 'first'"
    fi
    [ "$form" = plain ] || [ -n "$AGE_KEY" ] ||
        stop "the archive on the branch is encrypted, and there is no key; it stays" \
            "see that this step gets the secret PLIMSOLL_AGE_KEY"
    pack "$kept" >"$work/tree"
    # When the site was published to which target.
    if [ -f "$file.publications.json" ]; then
        cp "$file.publications.json" "$work/$kept.publications.json"
        pack "$kept.publications.json" >>"$work/tree"
    fi
    tree=$(git mktree <"$work/tree")
    export GIT_AUTHOR_NAME=plimsoll GIT_AUTHOR_EMAIL=plimsoll@localhost
    export GIT_COMMITTER_NAME=plimsoll GIT_COMMITTER_EMAIL=plimsoll@localhost
    new=$(git commit-tree "$tree" -m "Archive of the report")
    git push --quiet --force-with-lease="refs/heads/$branch:$commit" \
        "${PUSH_URL:-origin}" "$new:refs/heads/$branch" ||
        stop "the archive of this run was not kept: the branch '$branch' was not replaced" \
            "check that the token may write and has not expired; after another run's archive, start this again"
    if [ -n "$AGE_KEY" ]; then form=encrypted; fi
    remember "$new" "$(identity "$work/$kept")" "$(newest "$work/$kept")" "$form"
    ;;
*)
    echo "usage: archive.sh get [--first] | archive.sh keep" >&2
    exit 2
    ;;
esac
