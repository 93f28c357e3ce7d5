private import CCurl

/// The libraries that requests are made with, each with its version, as libcurl lists them.
package var transportLibraries: [(name: String, version: String)] {
    (unsafe String(cString: curl_version())).split(separator: " ").map { item in
        let parts = item.split(separator: "/", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : "")
    }
}
