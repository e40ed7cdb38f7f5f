/** The values that pypdf 6 wrote when it encrypted a page with each of PDF's five methods, without and with a password. */

export interface Lock {
  way: string;
  password: string;
  version: number;
  revision: number;
  bits: number;
  owner: string;
  user: string;
  id: string;
}

export const LOCKS: Lock[] = [
  {
    ...{ way: "RC4-40", password: "", version: 1, revision: 2, bits: 40 },
    owner: "c92422687facee686e373f10b5c7d04738053152f7e2ee30e11c69ec442576ab",
    user: "2fa9312923bd45f82ddf0e60efe81763a1893acd64e820799843096af425fad4",
    id: "f2dbf85bd2b9bc730a60a1f3e7a2fb9f",
  },
  {
    ...{ way: "RC4-40", password: "secret", version: 1, revision: 2, bits: 40 },
    owner: "92fe0f4454ad4c9644693f33c07cb54f587dce1e2682fe9ecea6107a1ef630dd",
    user: "32613e53fca92a2354dd3728dada6b715a81fba33ebd4b16da4c78404b4dcb6a",
    id: "b02759f4b46436fb2f2669eab02d890e",
  },
  {
    ...{ way: "RC4-128", password: "", version: 2, revision: 3, bits: 128 },
    owner: "566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5",
    user: "048027df0365710539fb649a6b75a33c28bf4e5e4e758a4164004e56fffa0108",
    id: "fc393b5bbbcc69ccfb045ba83bd9b865",
  },
  {
    ...{ way: "RC4-128", password: "secret", version: 2, revision: 3, bits: 128 },
    owner: "0db5855fc5326569e765906caf64e4429a4c20d6e996fdef963e9b5080f9e083",
    user: "5f456ca7823958855da051d1f9d2cd3428bf4e5e4e758a4164004e56fffa0108",
    id: "1d8d765a08a2e867bc4693c3afc83074",
  },
  {
    ...{ way: "AES-128", password: "", version: 4, revision: 4, bits: 128 },
    owner: "566fa873ee33c797cd3b904fdadf814afa34df9a38f6ed41b984e2c6da2aa6f5",
    user: "e766b62af9c8b3285bfb810f3f74150828bf4e5e4e758a4164004e56fffa0108",
    id: "4ca724a74fc4c3ff6f2951c6a42836a3",
  },
  {
    ...{ way: "AES-128", password: "secret", version: 4, revision: 4, bits: 128 },
    owner: "0db5855fc5326569e765906caf64e4429a4c20d6e996fdef963e9b5080f9e083",
    user: "12ef0d59afb952ad486faad7a1936a1a28bf4e5e4e758a4164004e56fffa0108",
    id: "cd8a8038b4d0a9e5e500de6d4eebb74a",
  },
  {
    ...{ way: "AES-256-R5", password: "", version: 5, revision: 5, bits: 256 },
    owner: "9eb37cec186b893cb1769ab1385120be34537f7a8fe86c403fb973b83342737e8fe86cbb9f410940258b8e20e9259937",
    user: "464e01c435bb6b5313f6374cedf5ade4e491297d76755b1a566bebc9efbd9e89c319c5469dd769108071620385884640",
    id: "46f26089bb03907e7597373d70717928",
  },
  {
    ...{ way: "AES-256-R5", password: "secret", version: 5, revision: 5, bits: 256 },
    owner: "92da9782652003b56c3d32798296ac5b977b32d3a859c2e4d43d90011bb826068a98932c71f0c16950ed4793a705b784",
    user: "9267844741469ec62e53a3924b2bfcb5b428d8998bf9147a5973956942d14b4e7172ac52b2823940a8dc5412c67d07e0",
    id: "7cced945e2f8849b1c446f2318b26673",
  },
  {
    ...{ way: "AES-256", password: "", version: 5, revision: 6, bits: 256 },
    owner: "de1fe41997a8ce28530dec1a9efce2c3195774a836274c5b79a5e5c054420c882af22f2cb46ef3cf167b13908d996f50",
    user: "46a3bc8529f22e4abcf17128a98817d04551adbdd450f81c96a6d718b247dab6554d59b23050fdd2e8dc74037bc3c813",
    id: "73251f1c91c3c26de641ef74a6a94e74",
  },
  {
    ...{ way: "AES-256", password: "secret", version: 5, revision: 6, bits: 256 },
    owner: "fd2266affe9c10474b1c7c84465623ba364323d7eee08c5cdb1839d6bc5c06d347428c824239ba13fef6cf179fdf8a55",
    user: "7c42a53842acf123870bcdcaa9998c86f549843f084820e9e80eb2bab80acbd8e53bcdab7b4649d05f19037876bac54c",
    id: "fb146af257a91b7d0d1adc9690e90027",
  },
];
