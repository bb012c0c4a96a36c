declare module "virtual:courts/*" {
  const address: string;
  export default address;
}
