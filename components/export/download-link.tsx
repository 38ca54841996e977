'use client'

import { useTranslations } from 'next-intl'
import { type ComponentProps, useState } from 'react'
import type { z } from 'zod'
import type { Contract } from '@/lib/base/contracts/contract'
import { CallError, call } from '@/lib/base/http/client'
import { useFailureText } from '../form/use-failure-text'
import { saveFile } from '../ui/save-file'
import { snackbar } from '../ui/snackbar'

type FileCall = Contract<undefined, undefined, undefined, z.ZodType<File>>

/**
 * A link to a file; `href` is the address of the call. The file is saved when it is complete, and a snackbar shows the
 * result. Before hydration the browser downloads the file itself. This link holds the file in memory, so a file that
 * may be of any length has a plain link.
 */
export function DownloadLink({ href, children, ...link }: ComponentProps<'a'> & { href: string }) {
  const notice = useTranslations('snackbar')
  const failureText = useFailureText()
  const [working, setWorking] = useState(false)
  const take = async () => {
    setWorking(true)
    try {
      const path = href.replace(/^\/api\/v1\/platform/, '')
      const file = await call<FileCall>({ method: 'GET', path, returnsFile: true })
      saveFile(file)
      await snackbar.ok(notice('downloadSuccess', { name: file.name }))
    } catch (error) {
      const broken = !(error instanceof CallError) || error.status === 0
      await snackbar.error(broken ? notice('downloadError') : await failureText(error))
    } finally {
      setWorking(false)
    }
  }
  return (
    <a
      {...link}
      href={href}
      download
      aria-busy={working || undefined}
      onClick={(event) => {
        event.preventDefault()
        if (!working) void take()
      }}
    >
      {children}
    </a>
  )
}
