extension StringProtocol {
    /// The text with its first letter in upper case, as labels and sentences begin: `Meets target`.
    package var sentenceCased: String { prefix(1).uppercased() + dropFirst() }
}
