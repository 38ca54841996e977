const name = 'E2E_STACKS'

/** Passes the environments of the started platforms to the processes that run the tests. */
export const offerStacks = (environments: Record<string, string>[]) => {
  process.env[name] = JSON.stringify(environments)
}

/**
 * Takes the environment of this test process, with the address of its server and of the server's database. So tests
 * that run at the same time have different settings, limits and people.
 */
export function takeStack() {
  const [offered, index] = [process.env[name], process.env.TEST_PARALLEL_INDEX]
  if (offered && index) Object.assign(process.env, JSON.parse(offered)[Number(index)])
}
