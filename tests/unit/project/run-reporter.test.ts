import { beforeEach, expect, test, vi } from 'vitest'
import type { TestCase, TestModule } from 'vitest/node'
import RunReporter from '../../setup/run-reporter'

const said = vi.hoisted((): { ended?: string; failed?: string }[] => [])
vi.mock('../../setup/turn', () => ({ tellRun: (each: object) => said.push(each) }))
beforeEach(() => void said.splice(0))

const module = { id: '7', moduleId: `${process.cwd()}/tests/unit/x.test.ts`, project: { name: 'unit' } }
const ended = (id: string, state: 'passed' | 'failed') =>
  ({
    ...{ id, name: 'works', fullName: 'it > works', module, project: module.project, tags: [] },
    result: () => ({ state, errors: state === 'failed' ? [{ message: 'one is two' }] : [] }),
  }) as unknown as TestCase
const printed = (taskId: string, content: string) => ({ taskId, content, type: 'stderr', time: 0, size: 1 }) as const

test('a failed test shows what it has printed, and what its file has printed outside of tests', () => {
  const reporter = new RunReporter()
  reporter.onUserConsoleLog(printed('7', 'no such table\n'))
  reporter.onUserConsoleLog(printed('7_0', 'about the first\n'))
  reporter.onUserConsoleLog(printed('7_1', 'about the second\n'))
  reporter.onUserConsoleLog(printed('8', 'of another file\n'))
  reporter.onTestCaseResult(ended('7_0', 'passed'))
  reporter.onTestCaseResult(ended('7_1', 'failed'))
  expect(said[0]).not.toHaveProperty('failed')
  expect(said[1]?.failed).toBe('one is two\nabout the second\nno such table')
})

test('a file that fails outside of its tests shows what it has printed there', () => {
  const reporter = new RunReporter()
  reporter.onUserConsoleLog(printed('7', 'no such table\n'))
  reporter.onUserConsoleLog(printed('7_0', 'about the first\n'))
  const suites = [{ id: '7_1', errors: () => [{ message: 'a hook' }] }]
  reporter.onUserConsoleLog(printed('7_1', 'before the hook\n'))
  reporter.onTestModuleEnd({
    ...{ ...module, errors: () => [{ message: 'it ends' }] },
    children: { allSuites: () => suites },
  } as unknown as TestModule)
  expect(said[0]?.failed).toBe('it ends\na hook\nno such table\nbefore the hook')
})
