'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogBody, DialogFooter } from '@/components/ui/dialog'
import { saveFile } from '@/components/ui/save-file'
import { UnsavedGuard } from '@/components/ui/unsaved'

type Props = { codes: string[]; login: string; onClose: () => void }

/** New recovery codes, which are shown only now: to be copied, downloaded or printed. */
export function RecoveryCodes({ codes, login, onClose }: Props) {
  const t = useTranslations('account.factors')
  const title = t('fileTitle', { login })
  const [isKept, setKept] = useState(false)
  const download = () => {
    setKept(true)
    saveFile(new Blob([`${[title, '', ...codes].join('\n')}\n`], { type: 'text/plain' }), t('fileName'))
  }
  const print = () => {
    setKept(true)
    window.print()
  }
  return (
    <Dialog open onOpenChange={onClose} size="S" title={t('codesTitle')} text={t('codesText')}>
      <DialogBody data-printed="">
        <p className="hidden pb-4 print:block">{title}</p>
        <ul className="grid grid-cols-2 gap-x-6 gap-y-2 font-mono">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </DialogBody>
      <UnsavedGuard dirty={!isKept} busy={false} />
      <DialogFooter>
        <Button variant="secondary" onClick={download}>
          {t('download')}
        </Button>
        <Button variant="secondary" onClick={print}>
          {t('print')}
        </Button>
        <Button onClick={onClose}>{t('saved')}</Button>
      </DialogFooter>
    </Dialog>
  )
}
