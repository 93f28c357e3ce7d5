# Homebrew formula. For a tap: put the URL and the SHA-256 of the release's source archive here.
class Plimsoll < Formula
  desc "Static reports on app stability and usage"
  homepage "https://plimsoll.example/"
  url "https://plimsoll.example/releases/plimsoll-0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on xcode: ["16.3", :build]
  depends_on "pkgconf" => :build
  depends_on "brotli"
  depends_on "cmark"
  depends_on "curl" # the system's has no SFTP
  depends_on "expat"
  depends_on "zstd"
  uses_from_macos "sqlite"
  uses_from_macos "zlib"

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "plimsoll"
    bin.install ".build/release/plimsoll"
    pkgshare.install "Themes", "Content"
    generate_completions_from_executable(bin/"plimsoll", "completions")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/plimsoll --version")
    system bin/"plimsoll", "demo", "--output", testpath/"demo"
    assert_path_exists testpath/"demo/site/index.html"
  end
end
