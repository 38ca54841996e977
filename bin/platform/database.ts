import { type Noun, verb } from './noun'

const migrate = verb(
  'migrate',
  'Brings the database up to date, as `npm run migrate` does; several instances may start it at once',
  (own) => own,
  async () => {
    await import('../migrate')
  },
)

export const database: Noun = { describe: 'The database', verbs: [migrate] }
