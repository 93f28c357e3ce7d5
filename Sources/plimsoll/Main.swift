import Platform
import PlimsollCommand

@main
enum Main {
    static func main() async {
        exit(await runPlimsoll(Array(CommandLine.arguments.dropFirst())))
    }
}
