// SPDX-License-Identifier: GPL-3.0-or-later
// Measures what a frame of the wafer view costs: painter, widget and a second of sixty frames, each
// beside the memory traffic it cannot do without, measured in the same run.
#include <QApplication>
#include <QElapsedTimer>
#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include "tests/wafer_view/demo.h"
#include "wafer_view/planes.h"
#include "wafer_view/strip_chart.h"
#include "wafer_view/wafer_painter.h"
#include "wafer_view/wafer_panel.h"
#include "wafer_view/wafer_view.h"

using namespace waferpair;
using namespace waferpair::view;
using Motion = Viewport::Motion;

namespace {

constexpr int kFrames = 240;

double cpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return double(now.tv_sec) + now.tv_nsec * 1e-9;
}

// Milliseconds; `cpu` is of this thread and stays meaningful on a busy machine.
struct Times {
  double p50 = 0, p99 = 0, cpu50 = 0, cpu99 = 0;
};

double threadMs() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + now.tv_nsec * 1e-6;
}

template <typename Frame>
Times measure(Frame frame, int count = kFrames) {
  for (int i = 0; i < 10; ++i) frame(i);
  std::vector<double> ms, cpu;
  for (int i = 0; i < count; ++i) {
    QElapsedTimer timer;
    timer.start();
    const double before = threadMs();
    frame(10 + i);
    cpu.push_back(threadMs() - before);
    ms.push_back(timer.nsecsElapsed() * 1e-6);
  }
  std::sort(ms.begin(), ms.end());
  std::sort(cpu.begin(), cpu.end());
  const std::size_t middle = ms.size() / 2, late = ms.size() * 99 / 100;
  return {ms[middle], ms[late], cpu[middle], cpu[late]};
}

// The least a frame can move: each core's byte read once, each pixel written once.
double floorMs(const QSize& size, std::size_t cores) {
  std::vector<unsigned char> plane(cores), copy(cores);
  std::vector<QRgb> pixels(std::size_t(size.width()) * size.height());
  return measure([&](int i) {
           std::memcpy(copy.data(), plane.data(), cores);
           std::memset(pixels.data(), i, pixels.size() * sizeof(QRgb));
         })
      .cpu50;
}

struct Zoom {
  const char* name;
  QRectF cores;  // null: the whole wafer
};
const Zoom kZooms[] = {{"wafer", {}},
                       {"die", {317, 502, 64, 168}},
                       {"cores", {371, 576, 20, 20}},
                       {"PE", {381, 586, 1, 1}}};

void benchPainter(const QSize& size, const std::vector<protocol::TelemetryFrame>& frames,
                  const protocol::WaferLayout& layout) {
  const double floor = floorMs(size, std::size_t(layout.fabricWidth) * layout.fabricHeight);
  std::printf("\n%dx%d, memory floor %.2f ms (all planes read, all pixels written)\n", size.width(),
              size.height(), floor);
  for (const Zoom& zoom : kZooms) {
    Planes planes;
    planes.setLayout(layout);
    Viewport view;
    view.setSize(size);
    view.setFabric(QSizeF(planes.width(), planes.height()));
    if (!zoom.cores.isNull()) view.fit(zoom.cores, Motion::kAtOnce);
    WaferPainter painter;
    painter.setTheme(waferColors(QGuiApplication::palette()));
    painter.setFont(QGuiApplication::font());
    painter.setView(view, 1);
    const Times planesOnly = measure([&](int i) { planes.setFrame(frames[i % frames.size()]); });
    planes.takeDirty();
    const Times data = measure([&](int i) {
      planes.setFrame(frames[i % frames.size()]);
      painter.render(planes, planes.takeDirty());
    });
    const Times moving = measure([&](int i) {
      planes.setFrame(frames[i % frames.size()]);
      painter.setView(view, 1);
      painter.render(planes, planes.takeDirty());
    });
    std::printf(
        "  %-6s planes %.2f | new data p50 %.2f p99 %.2f (CPU %.2f / %.2f, %.1f x floor) | "
        "zooming p50 %.2f p99 %.2f (CPU %.2f / %.2f) ms\n",
        zoom.name, planesOnly.cpu50, data.p50, data.p99, data.cpu50, data.cpu99, data.cpu50 / floor,
        moving.p50, moving.p99, moving.cpu50, moving.cpu99);
  }
}

void benchWidget(const QSize& size, const std::vector<protocol::TelemetryFrame>& frames,
                 const protocol::WaferLayout& layout) {
  WaferView view;
  view.resize(size);
  view.show();
  [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&view);
  view.setLayout(layout);
  for (const Zoom& zoom : kZooms) {
    const QRect r = zoom.cores.toRect();
    if (r.isNull()) {
      view.fitWafer();
    } else if (r.width() == 1) {
      view.fitPe(r.x(), r.y());
    } else if (r.width() == 64) {
      view.fitDie(5, 3);
    } else {
      while (view.pixelsPerCore() < 26) view.zoomIn();
    }
    QTest::qWait(700);
    const Times paint = measure([&](int) { view.repaint(); }, 100);
    QElapsedTimer time;
    time.start();
    const double before = cpuSeconds();
    const int paints = view.paintCount();
    for (int n = 0; time.elapsed() < 2000; ++n) {
      view.addFrame(frames[n % frames.size()]);
      QTest::qWait(8);  // faster than the view draws: it sets the pace
    }
    const double seconds = time.elapsed() * 1e-3;
    std::printf(
        "  %-6s repaint p50 %.2f p99 %.2f (CPU %.2f / %.2f) ms | streaming %.1f fps at %.0f %% of "
        "a core\n",
        zoom.name, paint.p50, paint.p99, paint.cpu50, paint.cpu99,
        (view.paintCount() - paints) / seconds, 100 * (cpuSeconds() - before) / seconds);
  }
}

void benchPanel(const std::vector<protocol::TelemetryFrame>& frames,
                const protocol::WaferLayout& layout) {
  WaferPanel panel;
  panel.resize(420, 860);
  panel.show();
  [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&panel);
  panel.setLayout(layout);
  const auto run = [&](const char* name, bool stream) {
    QElapsedTimer time;
    time.start();
    const double before = cpuSeconds();
    const int paints = panel.view()->paintCount();
    for (std::size_t n = 0; time.elapsed() < 2000; ++n) {
      if (stream) panel.addFrame(frames[n % frames.size()]);
      QTest::qWait(stream ? 8 : 100);
    }
    const double seconds = time.elapsed() * 1e-3;
    std::printf("  %-10s %.1f fps at %.1f %% of a core\n", name,
                (panel.view()->paintCount() - paints) / seconds,
                100 * (cpuSeconds() - before) / seconds);
  };
  std::printf("\npanel 420x860 with figures and charts\n");
  run("streaming", true);
  panel.view()->setWave(true);
  run("wave", true);
  panel.view()->setWave(false);
  QTest::qWait(1200);
  run("idle", false);
}

void benchChart() {
  StripChart chart(
      {{QStringLiteral("host"), QStringLiteral("tokens/s"), {}, SeriesColor::kHost},
       {QStringLiteral("wafer"), QStringLiteral("tokens/s"), {}, SeriesColor::kWafer}});
  chart.resize(800, 250);
  chart.show();
  [[maybe_unused]] const bool exposed = QTest::qWaitForWindowExposed(&chart);
  const Times sample = measure([&](int n) {
    chart.append(n / 60.0, {1000.0 + n % 17, 14000.0 + n % 23});
    chart.repaint();
  });
  std::printf(
      "\nstrip chart 800x250, a sample and its repaint: p50 %.2f p99 %.2f (CPU %.2f / %.2f) "
      "ms\n",
      sample.p50, sample.p99, sample.cpu50, sample.cpu99);
}

}  // namespace

int main(int argc, char** argv) {
  QApplication app(argc, argv);
  const protocol::WaferLayout layout = demo::layout();
  std::vector<protocol::TelemetryFrame> frames;
  for (int n = 0; n < 600; ++n) frames.push_back(demo::frame(layout, n));
  for (const QSize size : {QSize(900, 700), QSize(1600, 1000)}) {
    benchPainter(size, frames, layout);
    benchWidget(size, frames, layout);
  }
  benchPanel(frames, layout);
  benchChart();
  return 0;
}
