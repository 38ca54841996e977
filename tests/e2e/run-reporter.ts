import { stripVTControlCharacters } from 'node:util'
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter'
import { titleArgument } from '../setup/again'
import { expectedSeconds } from '../setup/expected'
import { pieceOf } from '../setup/piece'
import { tellRun } from '../setup/turn'

const kindOf = (test: TestCase) => test.parent.project()?.name ?? ''
const nameOf = (test: TestCase) => `${pieceOf(test.location.file)} › ${test.titlePath().slice(3).join(' › ')}`
const textOf = ({ message, stack, value }: TestError) => stripVTControlCharacters(stack ?? message ?? value ?? '')

/** A full run repeats the journeys in the other language. */
const isOther = process.env.TEST_LANGUAGE === 'other'

/** Tells the run that started Playwright which tests there are, and how each ended. */
export default class RunReporter implements Reporter {
  onBegin(_: FullConfig, suite: Suite) {
    for (const project of suite.suites) {
      const tests = project.allTests()
      const kind = project.project()?.name ?? ''
      tellRun({
        kind,
        plans: Object.fromEntries(tests.map((test) => [nameOf(test), expectedSeconds(nameOf(test), 2)])),
      })
    }
  }

  onTestEnd(test: TestCase, { status, errors, stdout }: TestResult) {
    const [file, kind] = [pieceOf(test.location.file), kindOf(test)]
    const alone = `${file}:${test.location.line} -g ${titleArgument(test.title)}`
    const again = `${isOther ? 'TEST_LANGUAGE=other ' : ''}npx playwright test --config tests/e2e/playwright.config.ts --project=${kind} ${alone}`
    const ended = nameOf(test) + (isOther ? ' (in the other language)' : '')
    if (status === 'skipped') return tellRun({ kind, ended, skipped: true })
    // what the page showed, and what servers printed
    const failed = [...(errors.length > 0 ? errors.map(textOf) : [status]), stdout.join('').trimEnd()].join('\n')
    tellRun({ kind, ended, ...(status === 'passed' ? {} : { failed, again }) })
  }

  /** What fails outside of a test, such as the start of the platform. */
  onError(error: TestError) {
    tellRun({ kind: 'browser', ended: 'outside of the tests', failed: textOf(error), again: 'npm test' })
  }

  onEnd({ status }: FullResult) {
    if (status === 'timedout') tellRun({ kind: 'browser', ended: 'the whole run', failed: status, again: 'npm test' })
  }

  printsToStdio() {
    return false
  }
}
