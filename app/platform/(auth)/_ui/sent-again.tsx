import type { Typed } from './form-failure'

/** What was sent with a form, for another form that sends it once more. */
export const SentAgain = ({ sent, fields }: { sent: Pick<Typed, 'all'>; fields: readonly string[] }) =>
  fields.flatMap((name) =>
    sent.all(name).map((value) => <input key={`${name} ${value}`} type="hidden" name={name} value={value} />),
  )
