import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import instep.accessmanagement.Events;
import instep.accessmanagement.Events.EventType;
import java.io.File;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;

/** Reads examples into the declared types, and writes them again: nothing may be lost. */
public final class Decode {
  public static void main(String[] files) throws Exception {
    Map<String, EventType<?, ?>> types = new TreeMap<>();
    for (var field : Events.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.get(null) instanceof EventType<?, ?> type) {
        types.put(type.detailType(), type);
      }
    }
    var mapper = new ObjectMapper().setSerializationInclusion(JsonInclude.Include.NON_NULL);
    int grants = 0;
    for (var file : files) {
      JsonNode before = mapper.readTree(new File(file));
      var type = types.get(before.get("detail-type").textValue());
      JsonNode after = mapper.readTree(mapper.writeValueAsString(mapper.readValue(new File(file), type.type())));
      // What is null is left out.
      if (!withoutNull(before).equals(withoutNull(after))) {
        throw new AssertionError(file + ": read and written again it is another:\n" + before + "\n" + after);
      }
      if (type == Events.USER_GRANTED) {
        var event = mapper.readValue(new File(file), Events.USER_GRANTED.type());
        String role = event.detail().data().role();
        String group = event.detail().data().keys().groupId();
        if (role == null || group == null) throw new AssertionError(file + ": a grant without its role or its key");
        grants++;
      }
    }
    if (grants == 0) throw new AssertionError("no grant among the examples");
    System.out.println("Java: " + files.length + " examples");
  }

  private static JsonNode withoutNull(JsonNode node) {
    node.forEach(Decode::withoutNull);
    if (node instanceof com.fasterxml.jackson.databind.node.ObjectNode object) {
      for (var fields = object.fields(); fields.hasNext(); ) if (fields.next().getValue().isNull()) fields.remove();
    }
    return node;
  }
}
