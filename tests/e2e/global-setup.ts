import type { FullConfig } from '@playwright/test'
import { createCrew } from '@/bin/processes'
import { startStack } from './stack'
import { offerStacks } from './stack-env'

/** Builds once and starts a platform for each process that runs tests. */
export default async function setup({ workers }: FullConfig) {
  const crew = createCrew()
  await crew.run({ name: 'the build', args: ['--import', 'tsx', 'bin/build.ts', '--if-needed'], env: process.env })
  const started = await Promise.allSettled(Array.from({ length: workers }, startStack))
  const stacks = started.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  const stop = async () => void (await Promise.all(stacks.map((stack) => stack.stop())))
  const failure = started.find((one) => one.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  offerStacks(stacks.map(({ env }) => env))
  return stop
}
