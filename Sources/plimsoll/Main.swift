import Platform
import PlimsollCommand

@main
enum Main {
    static func main() async {
        endProgram(await runPlimsoll(Array(CommandLine.arguments.dropFirst())))
    }
}
