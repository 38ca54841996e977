'use client'

import { CircleAlert, Trash2, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import type { Contract } from '@/lib/base/contracts/contract'
import { pictureRule } from '@/lib/fields/picture-rule'
import { Button } from '../ui/button'
import { FieldPicture } from '../ui/field-picture'
import { ActionButton } from './action-button'
import { type FileRule, useFileChoice } from './use-file-choice'
import { useWriter } from './use-write'

type Part = Record<string, string>

type Props = {
  title: string
  /** The picture's id; null for none. */
  picture: string | null
  /** The text while a required picture is missing; it can be replaced, not removed. Null for an optional picture. */
  missing: string | null
  /** Loads the contracts that replace and remove it, when first used. */
  load: () => Promise<{ replace: Contract; remove: Contract }>
  /** The parameters of both calls' path. */
  params: Part
  /** What may be uploaded as a picture of a field, how it is shown, and the names of its texts. */
  logo?: { rule: FileRule; preview: ReactNode }
}

/**
 * A picture that is uploaded, replaced and removed at once, without a form: of a field that administrators define, or a
 * logo.
 */
export function PictureField({ title, picture, missing, load, params, logo }: Props) {
  const t = useTranslations('ui.picture')
  const { write, pending, reason } = useWriter()
  const [refused, setRefused] = useState<string | null>(null)
  const rule = logo?.rule ?? pictureRule
  const [rules, limit] = [useId(), rule.max / 1024 ** 2]
  const { open, input, fault } = useFileChoice({
    rule,
    label: title,
    onChoose: async (file) => {
      setRefused(null)
      const { replace } = await load()
      const outcome = await write(replace, { params, body: { file } } as never, { failure: 'inside' })
      if (outcome?.ok === false) setRefused(reason(outcome.error))
    },
  })
  const verb = t(picture ? 'replace' : 'choose')
  const fails = fault ? t(logo && fault === 'wrongType' ? 'wrongLogoType' : fault, { limit }) : refused
  return (
    <div className="grid min-w-0 grow justify-items-start gap-2.5">
      {logo?.preview ?? (picture ? <FieldPicture title={title} id={picture} /> : null)}
      {!picture && missing !== null ? (
        <span className="flex items-start gap-2 text-danger">
          <CircleAlert aria-hidden="true" className="mt-1 size-4 shrink-0" />
          {missing}
        </span>
      ) : null}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="secondary"
          size="S"
          pending={pending}
          aria-label={`${verb}: ${title}`}
          aria-describedby={rules}
          onClick={open}
        >
          <Upload aria-hidden="true" className="size-4" />
          {verb}
        </Button>
        {picture && missing === null ? (
          <ActionButton
            name={`${t('remove')}: ${title}`}
            action={{
              kind: 'confirm',
              label: t('remove'),
              icon: Trash2,
              tone: 'danger',
              ask: { title: t('removeTitle'), text: t(logo ? 'removeLogoText' : 'removeText', { title }) },
              sends: { contract: async () => (await load()).remove, input: { params } },
            }}
          />
        ) : null}
        <span id={rules} className="text-ink-second text-note">
          {t(logo ? 'logoRules' : 'rules', { limit })}
        </span>
      </div>
      {fails ? (
        <p role="alert" className="text-danger text-note">
          {fails}
        </p>
      ) : null}
      {input}
    </div>
  )
}
