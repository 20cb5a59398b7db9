import java.io.FileOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.MiniYARNCluster;

/**
 * HDFS with one data node and YARN with one node manager, in one process, until the end of standard input. Arguments: a
 * folder for all files, in which conf becomes the clients' configuration, and settings as NAME=VALUE.
 */
public class Cluster {
    public static void main(String[] args) {
        try {
            start(Path.of(args[0]), args);
            while (System.in.read() >= 0) { }
            System.exit(0);
        } catch (Throwable e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private static void start(Path dir, String[] args) throws Exception {
        Configuration conf = new YarnConfiguration();
        for (int i = 1; i < args.length; i++) {
            String[] pair = args[i].split("=", 2);
            conf.set(pair[0], pair[1]);
        }
        new MiniDFSCluster.Builder(conf, dir.resolve("dfs").toFile()).numDataNodes(1).build();
        MiniYARNCluster yarn = new MiniYARNCluster("amlfix", 1, 1, 1);
        yarn.init(conf);
        yarn.start();
        Configuration clients = new Configuration(yarn.getConfig());
        clients.unset("net.topology.node.switch.mapping.impl"); // a class of the tests that clients do not have
        for (String name : new String[] {"core-site.xml", "hdfs-site.xml", "yarn-site.xml"}) { // each counts more than the defaults of its own part
            Path part = dir.resolve(name);
            try (OutputStream out = new FileOutputStream(part.toFile())) {
                clients.writeXml(out);
            }
            Files.move(part, dir.resolve("conf").resolve(name));
        }
    }
}
