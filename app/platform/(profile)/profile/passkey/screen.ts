import { defineScreen } from '@/lib/base/navigation/screen'

export default defineScreen({ name: 'PasskeyOffer' })
