#if os(Linux)
    import Testing

    /// libcurl is loaded by what sends requests, libcrypto by what computes a digest, and neither by anything else.
    struct LoadedLibrariesTests {
        /// A folder whose library is found first and cannot be loaded.
        private static func hidden(
            _ library: String = "libcurl.so.4", in folder: Folder
        ) throws -> [String: String] {
            try folder.write("broken/" + library, "")
            return ["LD_LIBRARY_PATH": folder.path + "/broken", "QUAY_TOKEN": token]
        }

        @Test func sitesAreBuiltWithoutIt() async throws {
            let folder = try Folder(copyOf: try await FirstNight.shared.folder)
            let build = try await Program.run(
                "build", "--full", in: folder, environment: try Self.hidden(in: folder))
            #expect(build.status == 0, "\(build.printed)")
        }

        @Test func versionIsShownWithoutAny() async throws {
            let folder = try Folder()
            var environment = try Self.hidden(in: folder)
            environment.merge(try Self.hidden("libcrypto.so.3", in: folder)) { $1 }
            let version = try await Program.run("--version", in: folder, environment: environment)
            #expect(version.status == 0 && version.errors.isEmpty, "\(version.printed)")
        }

        @Test func buildSaysThatLibcryptoIsMissing() async throws {
            let folder = try Folder(copyOf: try await FirstNight.shared.folder)
            let build = try await Program.run(
                "build", in: folder, environment: try Self.hidden("libcrypto.so.3", in: folder))
            #expect(build.status == 127)
            let message = "error: libcrypto cannot be loaded: \(folder.path)/broken/libcrypto.so.3"
            #expect(
                build.errors.contains(message) && build.errors.contains("hint: install OpenSSL 3"),
                "\(build.errors)")
        }

        @Test func fetchSaysThatItIsMissing() async throws {
            let folder = try Folder(copyOf: try await FirstNight.shared.folder)
            let fetch = try await Program.run("fetch", in: folder, environment: try Self.hidden(in: folder))
            #expect(fetch.status == 127)
            let message = "error: libcurl cannot be loaded: \(folder.path)/broken/libcurl.so.4"
            #expect(
                fetch.errors.contains(message) && fetch.errors.contains("hint: install libcurl"),
                "\(fetch.errors)")
        }
    }
#endif
