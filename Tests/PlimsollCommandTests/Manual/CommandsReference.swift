import Foundation

/// The manual's page of commands, made from the program's help.
func commandsReference(_ program: CommandHelp) -> String {
    var lines = [
        "---", "title: Commands", "order: 2", "---", "# Commands", "",
        "This page is generated from the program's help; `plimsoll help <command>` prints the same.", "",
        prose(program.abstract), "", prose(program.discussion), "",
        "| command | what it does |", "|---|---|",
    ]
    let leaves = program.leaves()
    lines += leaves.map { words, help in
        "| [`plimsoll \(words.joined(separator: " "))`](#plimsoll-\(words.joined(separator: "-"))) | \(prose(help.abstract)) |"
    }
    for (words, help) in leaves { lines += section(words, help) }
    return lines.joined(separator: "\n") + "\n"
}

private func section(_ words: [String], _ help: CommandHelp) -> [String] {
    let name = (["plimsoll"] + words).joined(separator: " ")
    let arguments = help.ownArguments
    var lines = ["", "## \(name)", "", prose(help.abstract)]
    if let discussion = help.discussion, !discussion.isEmpty { lines += ["", prose(discussion)] }
    lines += ["", "```", ([name] + arguments.map(synopsis)).joined(separator: " "), "```"]
    guard !arguments.isEmpty else { return lines }
    return lines + ["", "| argument | what it does | default |", "|---|---|---|"] + arguments.map(row)
}

/// `[--app <id>]`, `<page>`, `[--plan]`.
private func synopsis(_ argument: CommandHelp.Argument) -> String {
    let value = "<\(argument.valueName ?? "value")>"
    let name = argument.preferredName?.text
    let text = argument.kind == "flag" ? name ?? "" : [name, value].compactMap(\.self).joined(separator: " ")
    return (argument.isOptional ? "[\(text)]" : text) + (argument.isRepeating ? "…" : "")
}

private func row(_ argument: CommandHelp.Argument) -> String {
    let names = (argument.names ?? []).map(\.text).joined(separator: "`, `")
    let name = names.isEmpty ? "<\(argument.valueName ?? "value")>" : names
    // The number of processors is that of the machine.
    let usual = argument.valueName == "count" && name == "--threads" ? "processors" : argument.defaultValue
    let values = argument.allValues.map { " Values: " + $0.map { "`\($0)`" }.joined(separator: ", ") + "." }
    return "| `\(name)` | \(prose(argument.abstract))\(values ?? "") | \(usual.map { "`\($0)`" } ?? "–") |"
}

/// A help text as Markdown: what is quoted becomes code, and nothing else is markup.
private func prose(_ text: String?) -> String {
    var result = ""
    for part in split(text ?? "") {
        if part.isCode {
            result += "`\(part.text)`"
        } else {
            for character in part.text {
                if "\\*_<>[]|`#".contains(character) { result += "\\" }
                result.append(character)
            }
        }
    }
    return result
}

/// Cuts a text at its single quotes; an apostrophe comes after a letter.
private func split(_ text: String) -> [(text: Substring, isCode: Bool)] {
    var parts: [(text: Substring, isCode: Bool)] = []
    var start = text.startIndex
    for match in text.matches(of: /(^|[\s(])'([^'\n]+)'(?![A-Za-z])/) {
        parts.append((text[start..<match.1.endIndex], false))
        parts.append((match.2, true))
        start = match.range.upperBound
    }
    return parts + [(text[start...], false)]
}
