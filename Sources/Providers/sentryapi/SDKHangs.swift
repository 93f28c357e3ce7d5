/// Whether the class of an exception, or the mechanism that noticed it, is one by which Sentry's SDKs mark a hang.
/// `WatchdogTermination` is none: the system ended the app.
func isSDKHang(_ name: String) -> Bool {
    let name = name.lowercased()
    let plain = name.hasPrefix("fatal ") ? String(name.dropFirst("fatal ".count)) : name
    return hangNames.contains(plain)
}

/// The classes as the SDKs write them.
let sentryHangClasses = [
    "ApplicationNotResponding", "BackgroundANR", "App Hanging", "App Hang Fully Blocked",
    "App Hang Non Fully Blocked", "Fatal App Hang Fully Blocked", "Fatal App Hang Non Fully Blocked",
]

/// In lower case: the classes, then the mechanisms.
private let hangNames: Set<String> = [
    "applicationnotresponding", "backgroundanr", "app hanging", "app hang fully blocked",
    "app hang non fully blocked", "anr", "appexitinfo", "historicalappexitinfo", "apphang",
]
