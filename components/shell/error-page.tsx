'use client'

import { buttonClasses } from '../ui/button-classes'
import { FailurePage } from './failure-page'

type Words = { title: string; text: string; code: string; retry: string; action: string }

/** What the server's log knows the error by. */
const digestOf = (error: unknown) =>
  error instanceof Error && 'digest' in error && typeof error.digest === 'string' ? error.digest : undefined

/** The page that stands in for one that failed. */
export function ErrorPage({ error, retry, words }: { error: unknown; retry: () => void; words: Words }) {
  const digest = digestOf(error)
  return (
    <FailurePage title={words.title} text={words.text}>
      <title>{words.title}</title>
      {digest ? (
        <p className="text-ink-second text-note">
          {words.code}: <span className="break-all font-mono">{digest}</span>
        </p>
      ) : null}
      <div className="flex flex-wrap gap-3">
        <button type="button" onClick={retry} className={buttonClasses({ size: 'L' })}>
          {words.retry}
        </button>
        <a href="/" className={buttonClasses({ variant: 'secondary', size: 'L' })}>
          {words.action}
        </a>
      </div>
    </FailurePage>
  )
}
