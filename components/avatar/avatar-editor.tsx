'use client'

import { Trash2, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useId, useRef, useState } from 'react'
import { ActionButton } from '../form/action-button'
import type { Sent } from '../form/actions'
import { Avatar } from '../ui/avatar'
import { Button } from '../ui/button'
import { useLater } from '../ui/use-later'
import type { Square } from './crop-dialog'

type Props = {
  /** The person's initials, shown without a picture. */
  initials: string
  /** The address of the picture. */
  picture: string | null
  /** What may be uploaded; `max` in bytes. */
  rule: { types: readonly string[]; max: number }
  /** Saves the square of a file. Returns the text of a failure. */
  save: (file: File, square: Square) => Promise<string | undefined>
  /** The call that removes the picture. */
  removes: Sent
}

const load = () => import('./crop-dialog').then((part) => part.CropDialog)

/** A person's own picture: upload with a crop, replacement and removal. */
export function AvatarEditor({ initials, picture, rule, save, removes }: Props) {
  const t = useTranslations('account.avatar')
  const input = useRef<HTMLInputElement>(null)
  const rules = useId()
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const { Part: CropDialog, ask, preload } = useLater(load)
  const choose = (chosen: File | undefined) => {
    if (!chosen) return
    const wrong = !rule.types.includes(chosen.type)
    const large = chosen.size > rule.max
    setFault(wrong ? t('wrongType') : large ? t('tooLarge', { limit: rule.max / 1024 ** 2 }) : null)
    if (wrong || large) return
    setFile(chosen)
    ask()
  }
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
            onClick={() => input.current?.click()}
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
        {fault ? (
          <p role="alert" className="text-danger text-note">
            {fault}
          </p>
        ) : null}
        <input
          ref={input}
          type="file"
          hidden
          accept={rule.types.join(',')}
          aria-label={t('choose')}
          onChange={({ target }) => {
            choose(target.files?.[0])
            // the same file may be chosen again
            target.value = ''
          }}
        />
      </div>
      {file && CropDialog ? (
        <CropDialog
          file={file}
          save={(square) => save(file, square)}
          onClose={() => setFile(null)}
          onUnreadable={() => {
            setFile(null)
            setFault(t('unreadable'))
          }}
        />
      ) : null}
    </div>
  )
}
