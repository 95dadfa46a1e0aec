// SPDX-License-Identifier: Apache-2.0
package org.emplace.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BarChartTest {

    @Test
    void barsAreAsLongAsTheirValues() throws Exception {
        BarChart chart = new BarChart("Speed <&>", List.of("ours", "peer"));
        chart.group("NULL", List.of(4.0, 1.0));

        Document svg = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(chart.toSvg())));

        assertThat(svg.getElementsByTagName("title").item(0).getTextContent()).isEqualTo("Speed <&>");
        NodeList bars = svg.getElementsByTagName("rect");
        int legend = 2;
        assertThat(width(bars, legend)).isPositive().isEqualTo(4 * width(bars, legend + 1));
    }

    private static double width(NodeList bars, int index) {
        return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
    }

    @Test
    void aGroupHasAValueForEachOfTheSeries() {
        BarChart chart = new BarChart("Speed", List.of("ours", "peer"));

        assertThatThrownBy(() -> chart.group("NULL", List.of(1.0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("NULL has 1 values, not 2");
    }
}
