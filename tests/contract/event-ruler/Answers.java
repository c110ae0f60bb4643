import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.event.ruler.Machine;

/**
 * Writes the answers of EventBridge's published engine into a file of cases.
 *
 * <p>A line is an event, a pattern or an answer, after a word that says which. The answer to a pattern is the
 * places of the group's events that match it, from 1, or `refused`. A line with `#` begins a group.
 */
public final class Answers {
    public static void main(String[] arguments) throws Exception {
        Path file = Path.of(arguments[0]);
        List<String> lines = new ArrayList<>();
        List<String> events = new ArrayList<>();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (line.startsWith("answer ")) {
                continue;
            }
            lines.add(line);
            if (line.startsWith("#")) {
                events.clear();
            } else if (line.startsWith("event ")) {
                events.add(line.substring("event ".length()));
            } else if (line.startsWith("pattern ")) {
                lines.add("answer " + answer(line.substring("pattern ".length()), events));
            }
        }
        Files.write(file, lines, StandardCharsets.UTF_8);
    }

    private static String answer(String pattern, List<String> events) throws Exception {
        // The engine has two matchers. A case on which they disagree is none.
        Machine machine = Machine.builder().build();
        Machine former = Machine.builder().withStructuredMatching(false).build();
        try {
            machine.addRule("rule", pattern);
            former.addRule("rule", pattern);
        } catch (IOException | RuntimeException refused) {
            return "refused";
        }
        List<String> matching = new ArrayList<>();
        for (int place = 0; place < events.size(); place += 1) {
            boolean isMatch = !machine.rulesForJSONEvent(events.get(place)).isEmpty();
            if (isMatch == former.rulesForJSONEvent(events.get(place)).isEmpty()) {
                throw new IllegalArgumentException(pattern + " with event " + (place + 1));
            }
            if (isMatch) {
                matching.add(Integer.toString(place + 1));
            }
        }
        return matching.isEmpty() ? "none" : String.join(" ", matching);
    }
}
