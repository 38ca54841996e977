import { defineScreen } from '@/lib/kernel/navigation/screen'

export default defineScreen({ name: 'AgreementsAsked' })
