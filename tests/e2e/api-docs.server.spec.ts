import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from './turn'

const address = () => process.env.PUBLIC_URL ?? ''
const run = promisify(execFile)

type Operation = { 'x-codeSamples'?: { lang: string; source: string }[]; responses: Record<string, unknown> }
type Document = { info: { description: string }; paths: Record<string, Record<string, Operation>> }

/** The commands of the introduction, which the examples continue, for the tested platform. */
const preparing = ({ info }: Document) =>
  [...info.description.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, commands = '']) =>
    commands.replace('http://localhost:3000', address()),
  )

test('every example of the document runs unchanged and gets the promised status', async () => {
  const document: Document = await (await fetch(`${address()}/api/v1/openapi.json`)).json()
  const examples = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { 'x-codeSamples': samples = [], responses }]) =>
      samples.map(({ source }) => ({ name: `${method} ${path}`, source, promised: Object.keys(responses)[0] })),
    ),
  )
  expect(preparing(document)).toHaveLength(2)
  expect(examples.length).toBeGreaterThan(5)

  const folder = await mkdtemp(join(tmpdir(), 'examples-'))
  try {
    const script = [
      ...preparing(document),
      ...examples.map(({ source }) => source.replace(/^curl -s/, `echo; curl -s -o /dev/null -w '%{http_code}'`)),
    ]
    const { stdout } = await run('sh', ['-c', script.join('\n')], { cwd: folder })
    const statuses = stdout.trim().split('\n').slice(-examples.length)
    expect(examples.map(({ name }, at) => `${name} ${statuses[at]}`)).toEqual(
      examples.map(({ name, promised }) => `${name} ${promised}`),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})
