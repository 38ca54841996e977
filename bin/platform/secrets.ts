import { type Noun, verb } from './noun'

const reencrypt = verb(
  'reencrypt',
  'Encrypts everything stored with the first key of SECRET_KEYS, and says which keys are no longer needed',
  (own) => own,
  async () => {
    const { runCommand } = await import('../operator')
    const { checkServices } = await import('../server/start-checks')
    const { resealAll, verdictOf } = await import('../secrets/reseal')
    await runCommand(
      async () => {
        const { done, keys } = await resealAll()
        for (const { what, many } of done) if (many > 0) console.log(`encrypted anew: ${what} (${many})`)
        for (const key of keys) console.log(verdictOf(key))
      },
      { check: checkServices },
    )
  },
)

export const secrets: Noun = { describe: 'Stored secrets', verbs: [reencrypt] }
