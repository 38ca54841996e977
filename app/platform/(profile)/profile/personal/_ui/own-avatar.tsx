'use client'

import { AvatarEditor } from '@/components/avatar/avatar-editor'
import { sends } from '@/components/form/actions'
import { useWriter } from '@/components/form/use-write'
import { pictureRule } from '@/lib/fields/picture-rule'

const load = () => import('@/lib/my-account/avatar/contract')

/** The person's own picture; `picture` is its address. */
export function OwnAvatar({ initials, picture }: { initials: string; picture: string | null }) {
  const { write, reason } = useWriter()
  return (
    <AvatarEditor
      initials={initials}
      picture={picture}
      rule={pictureRule}
      save={async (file, square) => {
        const { patchAvatar } = await load()
        const outcome = await write(patchAvatar, { body: { file, ...square } }, { failure: 'inside' })
        return outcome?.ok === false ? reason(outcome.error) : undefined
      }}
      removes={sends(() => load().then((calls) => calls.deleteAvatar), {})}
    />
  )
}
