import { readdirSync } from 'node:fs'
import { screens } from '@/lib/base/navigation/screens'
import type { Row, Rows } from './row'

const folder = 'tests/e2e/sweep/screens'
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'))
const written: Rows[] = await Promise.all(
  files.map(async (name) => ((await import(`./screens/${name}`)) as { rows: Rows }).rows),
)

/** By default a screen is opened at its address: a public one signed out, any other by an administrator. */
const bare = ({ path, public: isPublic }: (typeof screens)[number]): Row[] =>
  path.includes('{') ? [] : [isPublic ? { open: path } : { as: 'administrator', open: path }]

const named = written.flatMap((each) => Object.keys(each))
const twice = named.filter((name, at) => named.indexOf(name) !== at)
if (twice.length > 0) throw new Error(`two files of ${folder} open ${twice.join(', ')}`)

/**
 * How each screen is opened and which states it has: by the files of `screens`, or only at its address. A screen whose
 * address has a parameter needs a row in these files.
 */
export const rows: Rows = Object.assign(
  Object.fromEntries(screens.map((screen) => [screen.name as string, bare(screen)])),
  ...written,
)
