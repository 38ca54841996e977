'use client'

import { useRouter } from 'next/navigation'
import { useTimeZone, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import type { CallInput, CallOutput, Contract } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import { wordsOf } from '@/lib/base/i18n/words'
import { beginOwnWrite } from '../ui/own-write'
import { showNotice } from '../ui/snackbar'
import { useNotice, useNoticeText } from '../ui/use-notice'
import { type Loadable, loaded } from './actions'
import { createSendKeys } from './send-keys'

type Outcome<C> = { ok: true; output: CallOutput<C> } | { ok: false; error: CallError }

type Call = (contract: Contract, input: unknown, options: { idempotencyKey?: string }) => Promise<unknown>

export type NoticeParams = Record<string, string | number>

type Options = {
  /** The values for the texts of the snackbars, such as the name of what was saved. */
  params?: NoticeParams
  /**
   * `inside`: the caller shows failures itself, as dialogs do, and no snackbar is shown. `form`: the same, and the page
   * isn't refreshed, because a missing row would remove the form with its input.
   */
  failure?: 'notice' | 'inside' | 'form'
  /** Shows no snackbar after a success. */
  quiet?: boolean | undefined
  /** Whether the caller leaves the page after a success: a page without its session must not be asked for again. */
  leaves?: ((output: never) => boolean) | undefined
  /** Replaces `call` if a write takes several calls. */
  send?: (input: never) => Promise<unknown>
}

/** The module that explains why a call failed. It is loaded with the first failure: most pages never have one. */
let telling: typeof import('./failure-text') | undefined

const noticeOf = ({ snackbar: notice, name }: Contract) => notice ?? name

/**
 * Makes writing calls, one at a time. It shows the contract's snackbar (`x`, or `xError` with the reason) and refreshes
 * the page, also after a conflict. It takes the contract or a function that loads it, so that a page doesn't wait for
 * it. A POST that is sent again because no answer came is executed once, unless the caller has its own `send`. `write`
 * returns the outcome and never throws; `undefined` means that another write is running. `reason` is the text of a
 * failure, `failureTitle` says what didn't work.
 */
export function useWriter() {
  const router = useRouter()
  const notice = useNotice()
  const noticeText = useNoticeText()
  const errors = wordsOf(useTranslations('errors'))
  const timeZone = useTimeZone()
  const moscow = useTranslations('common')('moscow')
  // if that can't be loaded, there is no network
  const reason = (error: CallError) =>
    telling?.textOfFailure(errors, error, telling.zoneNaming(timeZone, moscow)) ??
    errors(errors.has(error.code) ? error.code : 'offline')
  const [pending, setPending] = useState(false)
  const busy = useRef(false)
  const [keys] = useState(createSendKeys)

  const failureTitle = (contract: Contract, params?: NoticeParams) =>
    noticeText(`${noticeOf(contract)}Error`, { params })
  const write = async <C extends Contract>(
    loadable: Loadable<C>,
    input: CallInput<C>,
    { params, failure = 'notice', send: replacedCall, quiet, leaves }: Options = {},
  ): Promise<Outcome<C> | undefined> => {
    if (busy.current) return undefined
    busy.current = true
    setPending(true)
    const endOwnWrite = beginOwnWrite()
    let contract: C | null = null
    try {
      contract = await loaded(loadable)
      // TypeScript can't know for an unspecified contract whether the input may be omitted
      const idempotencyKey = contract.method === 'POST' && !contract.sensitive ? keys.keyOf(input) : undefined
      const loadedContract = contract
      const send = (replacedCall ??
        ((sent: CallInput<C>) => (call as Call)(loadedContract, sent, { idempotencyKey }))) as (
        input: CallInput<C>,
      ) => Promise<CallOutput<C>>
      const output = await send(input)
      keys.done()
      if (!quiet) void notice({ type: 'ok', text: noticeOf(contract), params })
      if (!leaves?.(output as never)) router.refresh()
      return { ok: true, output }
    } catch (thrown) {
      const error = thrown instanceof CallError ? thrown : new CallError(0, 'techError', {}, undefined, undefined)
      telling ??= await import('./failure-text').catch(() => undefined)
      const isDeleted = error.status === 404 && failure !== 'form'
      if (isDeleted || (error.status === 409 && failure !== 'form')) router.refresh()
      // if the object was deleted, the failure can't be shown inside
      if (failure === 'notice' || isDeleted)
        void showNotice({
          type: 'error',
          text: reason(error),
          ...(contract ? { title: failureTitle(contract, params) } : {}),
        })
      return { ok: false, error }
    } finally {
      endOwnWrite()
      busy.current = false
      setPending(false)
    }
  }
  return { write, pending, reason, failureTitle }
}
