/// Keeps the archive on a branch of the repository between runs, as one commit that replaces the one before.
///
/// A cache is no storage: its entries go after some days, and whoever opens a pull request can read them.
let archiveScript = """
    #!/bin/sh
    # Keeps archive.sqlite on the branch 'plimsoll-archive' between runs: archive.sh get [--first] | archive.sh keep
    # The branch has one commit, which each run replaces if it still is the one that was read.
    # In a public repository everybody can read the branch. With AGE_KEY (a secret, made by age-keygen) the archive
    # is encrypted; the program 'age' must be installed then.
    set -eu
    branch=plimsoll-archive
    file=archive.sqlite
    state=.git/plimsoll-archive-read
    trap 'rm -f "$state.key"' EXIT

    case "${1:-}" in
    get)
        rm -f "$state"
        if git ls-remote --exit-code --heads origin "$branch" >/dev/null; then
            git fetch --quiet --depth=1 --no-tags origin "$branch"
            git rev-parse FETCH_HEAD >"$state"
            if git cat-file -e "FETCH_HEAD:$file.zst.age" 2>/dev/null; then
                umask 077
                printf '%s\\n' "$AGE_KEY" >"$state.key"
                git cat-file blob "FETCH_HEAD:$file.zst.age" | age -d -i "$state.key" | zstd -q -d -f -o "$file"
                rm -f "$state.key"
            else
                git cat-file blob "FETCH_HEAD:$file.zst" | zstd -q -d -f -o "$file"
            fi
        elif [ "${2:-}" != --first ]; then
            echo "error: there is no branch '$branch' with the archive; history would begin again" >&2
            echo "hint: for the very first run, start this by hand with 'first'" >&2
            exit 1
        else
            : >"$state"
        fi
        ;;
    keep)
        [ -f "$state" ] || { echo "error: run 'archive.sh get' first" >&2; exit 1; }
        # All of it in one file, also what is still in the log.
        rm -f "$file.kept"
        sqlite3 "$file" ".backup '$file.kept'"
        name="$file.zst"
        zstd -q -f -o "$name" "$file.kept"
        rm -f "$file.kept"
        if [ -n "${AGE_KEY:-}" ]; then
            umask 077
            printf '%s\\n' "$AGE_KEY" >"$state.key"
            age -e -i "$state.key" -o "$name.age" "$name"
            rm -f "$state.key" "$name"
            name="$name.age"
        fi
        blob=$(git hash-object -w "$name")
        rm -f "$name"
        tree=$(printf '100644 blob %s\\t%s\\n' "$blob" "$name" | git mktree)
        export GIT_AUTHOR_NAME=plimsoll GIT_AUTHOR_EMAIL=plimsoll@localhost
        export GIT_COMMITTER_NAME=plimsoll GIT_COMMITTER_EMAIL=plimsoll@localhost
        commit=$(git commit-tree "$tree" -m "Archive of the report")
        git push --quiet --force-with-lease="refs/heads/$branch:$(cat "$state")" \\
            "${PUSH_URL:-origin}" "$commit:refs/heads/$branch"
        echo "$commit" >"$state"
        ;;
    *)
        echo "usage: archive.sh get [--first] | archive.sh keep" >&2
        exit 2
        ;;
    esac

    """
