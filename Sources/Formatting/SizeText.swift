/// A number of bytes as people read it: `14.4 MB`, `37 kB`, `512 bytes`; thousands, not 1,024.
package func sizeText(_ bytes: Int) -> String {
    if bytes < 1000 { return "\(bytes) bytes" }
    if bytes < 999_500 { return "\(countText((bytes + 500) / 1000)) kB" }
    return "\(decimalText(Double(bytes) / 1_000_000, decimals: 1)) MB"
}
