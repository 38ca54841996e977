import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { nameArgument } from './again'
import { expectedSeconds } from './expected'
import { kindOf, pieceOf } from './piece'
import { tellRun } from './turn'

/** Tells the run that started vitest which files there are, and how each test ended. */
export default class RunReporter implements Reporter {
  onTestRunStart(specifications: readonly TestSpecification[]) {
    const plans: Record<string, Record<string, number>> = {}
    for (const { moduleId } of specifications) {
      const piece = pieceOf(moduleId)
      plans[kindOf(piece)] = { ...plans[kindOf(piece)], [piece]: expectedSeconds(piece, 3) }
    }
    for (const [kind, pieces] of Object.entries(plans)) tellRun({ kind, plans: pieces })
  }

  onTestCaseResult(test: TestCase) {
    const { state, errors = [] } = test.result()
    const piece = pieceOf(test.module.moduleId)
    // what `npm test` leaves out isn't skipped
    if (state === 'pending' || (state === 'skipped' && process.env.TEST_SCOPE === 'main' && test.tags.includes('full')))
      return
    const failed = errors
      .map(({ stack, message, diff }) => [stack ?? message, diff].filter(Boolean).join('\n'))
      .join('\n')
    const again = `npx vitest run --project ${test.project.name} ${piece} -t ${nameArgument(test.fullName)}`
    tellRun({
      kind: kindOf(piece),
      ended: `${piece} › ${test.fullName}`,
      ...(state === 'failed' ? { failed, again } : {}),
      ...(state === 'skipped' ? { skipped: true } : {}),
    })
  }

  /** What fails outside of a test: the file itself, or one of its hooks. */
  onTestModuleEnd(module: TestModule) {
    const piece = pieceOf(module.moduleId)
    const errors = [...module.errors(), ...[...module.children.allSuites()].flatMap((suite) => suite.errors())]
    if (errors.length === 0) return
    const again = `npx vitest run --project ${module.project.name} ${piece}`
    const failed = errors.map(({ stack, message }) => stack ?? message).join('\n')
    tellRun({ kind: kindOf(piece), ended: `${piece} › outside of its tests`, failed, again })
  }

  /** What fails outside of all files, such as a promise of which nobody hears. No other reporter shows it. */
  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]) {
    for (const { stack, message } of unhandled)
      tellRun({ kind: 'vitest', ended: 'outside of the tests', failed: stack ?? message, again: 'npm test' })
  }
}
