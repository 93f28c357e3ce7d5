/// A line of a crontab. cron knows no profile, and takes a percent sign for the end of the line.
func cronText(folder: String, program: String) -> String {
    let folder = shellWord(folder).replacing("%", with: "\\%")
    let program = shellWord(program).replacing("%", with: "\\%")
    return """
        # The night's run of plimsoll, in the time zone of this machine; choose an odd minute.
        # cron mails what is printed: nothing, unless the run could do nothing. plimsoll.log has the rest.
        # Tokens: in files that plimsoll.yml names (tokenFile: path), or as NAME='value' in plimsoll.env (chmod 600),
        # which the shell reads: without quotes, signs such as $ & ; # and blanks mean something else.
        # The site can be read by a web server of another user; the log, the archive and its caches cannot.
        # MAILTO=you@example.org
        17 5 * * *  cd \(folder) && umask 077 && : >>plimsoll.log && umask 022 && { [ ! -f plimsoll.env ] || { set -a; . ./plimsoll.env; set +a; }; } && { flock -n -E 0 .plimsoll.cron.lock \(program) run >>plimsoll.log 2>&1 || [ $? -eq 1 ] || tail -n 20 plimsoll.log; }

        """
}

/// A text as one word of a shell.
func shellWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: "/._-".utf8.contains(byte)
        }
    }
    return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
}
