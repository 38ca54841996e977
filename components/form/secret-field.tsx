'use client'

import { Check, Copy, Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { CallError } from '@/lib/base/http/client'
import { IconButton } from '../ui/icon-button'
import { snackbar } from '../ui/snackbar'
import { useFailureText } from './use-failure-text'

/** How long a secret that was read is shown, in milliseconds. */
const shownFor = 30_000

type Props = {
  /** What the secret is called, such as “Secret”. */
  what: string
  /** Its last characters, which distinguish it from another one; null if they aren't known. */
  tail: string | null
  /** Reads it; the history records each reading. Without it the secret is only named, as for an auditor. */
  read?: (() => Promise<string>) | undefined
}

/** A secret: masked, shown for half a minute, or copied without being shown (docs/rules/access.md#secrets). */
export function SecretField({ what, tail, read }: Props) {
  const t = useTranslations('ui.secret')
  const tUi = useTranslations('ui')
  const failureText = useFailureText()
  const [secret, setSecret] = useState<string | null>(null)
  const [copied, setCopied] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const [pending, setPending] = useState(false)
  useEffect(() => {
    if (secret === null) return
    const timer = setTimeout(() => {
      setSecret(null)
      setAnnouncement(t('hidden'))
    }, shownFor)
    return () => clearTimeout(timer)
  }, [secret, t])
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])

  /** Reads the secret, one request at a time; a failure is shown in a snackbar. */
  const open = async (use: (value: string) => Promise<void> | void) => {
    if (!read || pending) return
    setPending(true)
    try {
      await use(secret ?? (await read()))
    } catch (error) {
      await snackbar.error(error instanceof CallError ? await failureText(error) : tUi('copyFailed'))
    } finally {
      setPending(false)
    }
  }
  const show = () =>
    open((value) => {
      setSecret(value)
      setAnnouncement(t('shown'))
    })
  const copy = () =>
    open(async (value) => {
      await navigator.clipboard.writeText(value)
      setCopied(true)
      setAnnouncement(tUi('copied'))
    })
  const hide = () => {
    setSecret(null)
    setAnnouncement(t('hidden'))
  }
  const [Look, Take] = [secret === null ? Eye : EyeOff, copied ? Check : Copy]
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1">
      <code className="min-w-0 max-w-full break-all rounded-[5px] border border-line bg-paper px-1.5 py-px font-mono text-note">
        {secret === null ? (
          <>
            <span aria-hidden="true">•••••••• {tail}</span>
            <span className="sr-only">{t('masked', { what, tail: tail ?? '' })}</span>
          </>
        ) : (
          secret
        )}
      </code>
      {read ? (
        <>
          <IconButton label={t(secret === null ? 'show' : 'hide', { what })} onClick={secret === null ? show : hide}>
            <Look aria-hidden="true" className="size-4" />
          </IconButton>
          <IconButton label={t('copy', { what })} onClick={copy}>
            <Take aria-hidden="true" className={copied ? 'size-4 text-ok' : 'size-4'} />
          </IconButton>
        </>
      ) : null}
      <span role="status" className="sr-only">
        {announcement}
      </span>
    </span>
  )
}
