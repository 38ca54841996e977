'use client'

import { Trash2, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useState } from 'react'
import { ActionButton } from '../form/action-button'
import type { Sent } from '../form/actions'
import { type FileRule, useFileChoice } from '../form/use-file-choice'
import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { useLater } from '../ui/use-later'
import type { Square } from './crop-dialog'

type Props = {
  /** The person's initials, shown without a picture. */
  initials: string
  /** The address of the picture. */
  picture: string | null
  rule: FileRule
  /** Saves the square of a file. Returns the text of a failure, or undefined. */
  save: (file: File, square: Square) => Promise<string | undefined>
  /** The call that removes the picture. */
  removes: Sent
}

const load = () => import('./crop-dialog').then((part) => part.CropDialog)

/** A person's own picture: upload with a crop, replacement and removal. */
export function AvatarEditor({ initials, picture, rule, save, removes }: Props) {
  const t = useTranslations('account.avatar')
  const rules = useId()
  const [file, setFile] = useState<File | null>(null)
  const [unreadable, setUnreadable] = useState(false)
  const { Part: CropDialog, ask, preload } = useLater(load)
  const { open, input, fault } = useFileChoice({
    rule,
    label: t('choose'),
    onChoose: (chosen) => {
      setUnreadable(false)
      setFile(chosen)
      ask()
    },
  })
  const reason = fault ? t(fault, { limit: rule.max / 1024 ** 2 }) : unreadable ? t('unreadable') : null
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-4">
      <Avatar initials={initials} src={picture} size="XL" className="uppercase" />
      <div className="grid min-w-0 grow basis-60 gap-2.5">
        <p id={rules} className="text-ink-second text-note">
          {t('text')} {t('rules')}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="S"
            aria-describedby={rules}
            onPointerEnter={preload}
            onFocus={preload}
            onClick={open}
          >
            <Upload aria-hidden="true" className="size-4" />
            {picture ? t('replace') : t('choose')}
          </Button>
          {picture ? (
            <ActionButton
              action={{
                kind: 'confirm',
                label: t('remove'),
                icon: Trash2,
                tone: 'danger',
                ask: { title: t('removeTitle'), text: t('removeText') },
                sends: removes,
              }}
            />
          ) : null}
        </div>
        {reason ? (
          <p role="alert" className="text-danger text-note">
            {reason}
          </p>
        ) : null}
        {input}
      </div>
      {file && CropDialog ? (
        <CropDialog
          file={file}
          save={(square) => save(file, square)}
          onClose={() => setFile(null)}
          onUnreadable={() => {
            setFile(null)
            setUnreadable(true)
          }}
        />
      ) : null}
    </div>
  )
}
