/// A service that may read and write its own folder, reach the network, and nothing else.
func serviceText(program: String) -> String {
    """
    # The night's run of plimsoll as a hardened service. As root:
    #   install -d /var/lib/private/plimsoll && cp -R plimsoll.yml Content /var/lib/private/plimsoll/
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
    ExecStart=\(program) run --config /var/lib/plimsoll/plimsoll.yml
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
    ProtectHome=yes
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
