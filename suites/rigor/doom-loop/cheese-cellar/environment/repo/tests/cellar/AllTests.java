package cellar;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Runs the tests of all classes that are named here, and prints TAP. */
public final class AllTests {
    private static final List<Class<?>> CLASSES =
            List.of(LedgerTests.class, ShelvesTests.class, PickerTests.class, ScriptTests.class, ReportedTests.class);

    private AllTests() {}

    public static void main(String[] words) throws IllegalAccessException {
        int number = 0;
        int failed = 0;
        for (Class<?> type : CLASSES) {
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                if (!method.getName().startsWith("test")) {
                    continue;
                }
                number++;
                try {
                    method.invoke(null);
                    System.out.println("ok " + number + " - " + method.getName());
                } catch (InvocationTargetException error) {
                    failed++;
                    System.out.println("not ok " + number + " - " + method.getName());
                    System.out.println("# " + error.getCause());
                }
            }
        }
        System.out.println("1.." + number);
        System.exit(failed == 0 ? 0 : 1);
    }
}
