import { basename } from 'node:path'
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter'

type Timed = { ms: number; what: string }

const shown = 10
const seconds = (ms: number) => `${(ms / 1000).toFixed(1).padStart(7)} s`

const slowest = (title: string, all: Timed[], most = all.length) =>
  all.length === 0
    ? []
    : [
        '',
        title,
        ...[...all]
          .sort((a, b) => b.ms - a.ms)
          .slice(0, most)
          .map(({ ms, what }) => `${seconds(ms)}  ${what}`),
      ]

/** Prints at the end of a run how long each file, the slowest tests and the slowest looks of the sweep took. */
export default class SlowestReporter implements Reporter {
  private readonly tests: Timed[] = []
  private readonly looks: Timed[] = []
  private readonly files = new Map<string, number>()

  onTestEnd(test: TestCase, { duration, annotations }: TestResult) {
    const file = basename(test.location.file)
    this.files.set(file, (this.files.get(file) ?? 0) + duration)
    this.tests.push({ ms: duration, what: `${file}: ${test.titlePath().slice(3).join(' › ')}` })
    for (const { type, description = '' } of annotations) {
      if (type !== 'look') continue
      const [ms = '', what = ''] = description.split(/ (.*)/s)
      this.looks.push({ ms: Number(ms), what })
    }
  }

  onEnd() {
    const files = [...this.files].map(([what, ms]) => ({ what, ms }))
    const lines = [
      ...slowest('Time of each file', files),
      ...slowest(`The ${shown} slowest tests`, this.tests, shown),
      ...slowest(`The ${shown} slowest screens of the sweep, each in all its looks`, this.looks, shown),
    ]
    process.stdout.write(`${lines.join('\n')}\n`)
  }

  printsToStdio() {
    return false
  }
}
