// Counting in the library's hash map: 1.5 million updates of half a million keys.
import java.util.HashMap;

public class Main {
    public static void main(String[] arguments) {
        HashMap<Long, Long> count = new HashMap<>();
        long x = 3, most = 0;
        for (int i = 0; i < 1500000; i++) {
            x = x * 48271 % 2147483647;
            long value = count.merge(x % 500009 * 4001, (long) (i & 7), Long::sum);
            if (value > most) most = value;
        }
        System.out.println(count.size() + " " + most);
    }
}
