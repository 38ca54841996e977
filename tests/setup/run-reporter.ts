import type { Reporter, SerializedError, TestCase, TestModule, TestSpecification } from 'vitest/node'
import { nameArgument } from './again'
import { expectedSeconds } from './expected'
import { kindOf, pieceOf } from './piece'
import { tellRun } from './turn'

/** Tells the run that started vitest which files there are, and how each test ended. */
export default class RunReporter implements Reporter {
  /** By test, file or group: what it has printed. */
  private readonly printed = new Map<string, string>()

  /** What is printed is in the log of vitest too. */
  onUserConsoleLog({ taskId = '', content }: { taskId?: string | undefined; content: string }) {
    this.printed.set(taskId, (this.printed.get(taskId) ?? '') + content)
    process.stdout.write(content)
  }

  private printedBy(...tasks: { id: string }[]): string[] {
    return tasks.flatMap(({ id }) => this.printed.get(id)?.trimEnd() || [])
  }

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
    const faults = errors.map(({ stack, message, diff }) => [stack ?? message, diff].filter(Boolean).join('\n'))
    const failed = [...faults, ...this.printedBy(test, test.module)].join('\n')
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
    const parts = [module, ...module.children.allSuites()]
    const errors = parts.flatMap((part) => part.errors())
    if (errors.length === 0) return
    const again = `npx vitest run --project ${module.project.name} ${piece}`
    const failed = [...errors.map(({ stack, message }) => stack ?? message), ...this.printedBy(...parts)].join('\n')
    tellRun({ kind: kindOf(piece), ended: `${piece} › outside of its tests`, failed, again })
  }

  /** What fails outside of all files, such as a promise of which nobody hears. No other reporter shows it. */
  onTestRunEnd(_: readonly TestModule[], unhandled: readonly SerializedError[]) {
    for (const { stack, message } of unhandled)
      tellRun({ kind: 'vitest', ended: 'outside of the tests', failed: stack ?? message, again: 'npm test' })
  }
}
