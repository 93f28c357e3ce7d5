/// A service that may read and write its own folder, reach the network, and nothing else.
func serviceText(program: String) -> String {
    let homeFolders = homeFoldersText(program)
    return """
        # The night's run of plimsoll as a hardened service. As root, in the folder of plimsoll.yml, all of which is copied,
        # also the archive, data and themes:
        #   install -d /var/lib/private/plimsoll && cp -R . /var/lib/private/plimsoll/
        #   cp schedule/plimsoll.service schedule/plimsoll.timer /etc/systemd/system/
        #   systemctl daemon-reload && systemctl enable --now plimsoll.timer
        # Archive and site are then in /var/lib/plimsoll. Try it: systemctl start plimsoll; journalctl -u plimsoll
        [Unit]
        Description=Report on app stability and usage
        Documentation=man:plimsoll(1)
        Wants=network-online.target
        After=network-online.target
        # OnFailure=mail-to-admin@%n.service

        [Service]
        Type=oneshot
        ExecStart=\(startText(program)) run --config /var/lib/plimsoll/plimsoll.yml
        # 1: the site was built, and shows what failed.
        SuccessExitStatus=1
        TimeoutStartSec=45min
        WorkingDirectory=/var/lib/plimsoll
        StateDirectory=plimsoll
        # No other user gets into the folder; what is made elsewhere, such as a site in a web root, can be read.
        StateDirectoryMode=0700
        UMask=0022
        # A user for this service alone. For a web root, use a user of your own (User=report, DynamicUser=no), and add:
        # ReadWritePaths=/srv/www/stability
        DynamicUser=yes
        # A token is a file that the service alone can read; plimsoll.yml names it as
        # tokenFile: /run/credentials/plimsoll.service/token
        # LoadCredential=token:/etc/plimsoll/token

        ProtectSystem=strict
        \(homeFolders)
        PrivateTmp=yes
        PrivateDevices=yes
        PrivateUsers=yes
        ProtectKernelTunables=yes
        ProtectKernelModules=yes
        ProtectKernelLogs=yes
        ProtectControlGroups=yes
        ProtectClock=yes
        ProtectHostname=yes
        ProtectProc=invisible
        ProcSubset=pid
        NoNewPrivileges=yes
        RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
        RestrictNamespaces=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        LockPersonality=yes
        MemoryDenyWriteExecute=yes
        RemoveIPC=yes
        CapabilityBoundingSet=
        AmbientCapabilities=
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallFilter=~@privileged @resources
        # Threads set their own priority; a site in a web root keeps its group.
        SystemCallFilter=setpriority @chown
        # What is not allowed is refused: without this the system would kill the run, which could say nothing.
        SystemCallErrorNumber=EPERM

        """
}

/// Home folders are hidden, but for a program in one of them and its data, which are next to each other.
private func homeFoldersText(_ program: String) -> String {
    let isInHome = ["/home/", "/root/", "/run/user/"].contains(where: program.hasPrefix)
    let data = parentFolder(parentFolder(program)) + "/share/plimsoll"
    let paths = isInHome ? [program, "-" + data] : []
    let lines = ["ProtectHome=tmpfs"] + paths.map { "BindReadOnlyPaths=" + unitWord($0) }
    return """
        # Home folders are hidden\(isInHome ? ", but for the program" : ""). For what plimsoll.yml names there, such as snapshot files, add:
        # BindReadOnlyPaths=/home/me/snapshots
        \(lines.joined(separator: "\n"))
        """
}

/// The first words of a command in a unit. The path of an executable may hold neither quotes nor a backslash
/// (`string_is_safe` in systemd); such a program is started by a shell, for which systemd replaces variables.
private func startText(_ program: String) -> String {
    let isExecutable = program.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !"\"'\\".utf8.contains($0) }
    guard !isExecutable else { return unitWord(program) }
    return #"/bin/sh -c 'exec "$$0" "$$@"' "# + unitWord(program).replacing("$", with: "$$")
}

/// A text as one word of a unit (systemd.syntax(7), systemd.unit(5): a percent sign begins a specifier).
private func unitWord(_ text: String) -> String {
    if shellWord(text) == text { return text }
    let escaped = text.utf8.map { byte -> String in
        switch byte {
        case UInt8(ascii: "%"): "%%"
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
        case 0x20...0x7E: String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
    return "\"" + escaped.joined() + "\""
}

/// When the service runs.
let timerText = """
    [Unit]
    Description=Report on app stability and usage, every night

    [Timer]
    # Sources count days in UTC.
    OnCalendar=*-*-* 05:17:00 UTC
    RandomizedDelaySec=10min
    # Made up for when the machine was off.
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
