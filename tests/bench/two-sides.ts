import { startEmbeddedBeside } from '@/bin/embedded'
import type { Measured } from './load'
import { type Environment, environmentOf, originOf, type Stage } from './platform'

type Cases = Record<string, () => Promise<Measured>>
type Side<Size> = {
  /** The folder of the databases, one for each size. */
  folder: string
  sizes: readonly Size[]
  /** Brings a database to a size, as its owner. */
  fill(ownerUrl: string, size: Size): Promise<void>
  casesOf(origin: string, size: Size, env: Environment): Promise<Cases>
}

/**
 * Starts a platform with a database of its own for each size. Returns their cases in turn, so that no size has the
 * warmer machine.
 */
export async function twoSides<Size>({ folder, sizes, fill, casesOf }: Side<Size>, run: Stage): Promise<Cases> {
  const sides = await Promise.all(
    sizes.map(async (size, n) => {
      const services = await startEmbeddedBeside({ folder: `.data/${folder}-${n}`, durable: true })
      run.open.push(services)
      const env = await environmentOf(services.env, { PROCESSES: '1' })
      await run.crew.run({ name: 'the demo data', args: ['dist/prepare.js'], env })
      await fill(services.env.DATABASE_OWNER_URL, size)
      const name = `the server of ${JSON.stringify(size)}`
      await run.crew.keep({ name, args: ['dist/server.js'], env }, run.failed)
      return casesOf(originOf(env), size, env)
    }),
  )
  const inTurn = Object.keys(sides[0] ?? {}).flatMap((_, n) => sides.map((side) => Object.entries(side)[n]))
  return Object.fromEntries(inTurn.filter((each) => each !== undefined))
}
